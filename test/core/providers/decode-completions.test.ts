import { describe, expect, test } from 'vitest'
import { createCompletionsDecoder } from '../../../src/core/providers/decode-completions.ts'
import { MODEL } from './model.ts'

function decode(deltas: readonly unknown[], finish: string | null = 'stop') {
  const decoder = createCompletionsDecoder({ ...MODEL, apiKey: 'secret-key-123' }, () => undefined)
  for (const delta of deltas) decoder.push(JSON.stringify({ choices: [{ delta }] }))
  decoder.push(JSON.stringify({ choices: [{ delta: {}, finish_reason: finish }] }))
  decoder.push('[DONE]')
  return decoder.finish()
}

const call = (fields: object) => ({ tool_calls: [fields] })

describe('tool calls find their pieces', () => {
  test.each<[string, readonly object[]]>([
    [
      'every call has index 0 and only its first piece an id',
      [
        { index: 0, id: 'a', function: { name: 'f', arguments: '{"x":' } },
        { index: 0, function: { arguments: '1}' } },
        { index: 0, id: 'b', function: { name: 'g', arguments: '' } },
        { index: 0, function: { arguments: '{"y":2}' } },
      ],
    ],
    [
      'indices start at 1 and interleave',
      [
        { index: 1, id: 'a', function: { name: 'f', arguments: '{"x":' } },
        { index: 2, id: 'b', function: { name: 'g', arguments: '{"y":' } },
        { index: 1, function: { arguments: '1}' } },
        { index: 2, function: { arguments: '2}' } },
      ],
    ],
    [
      'no index, ids only on the first pieces, one call as an object',
      [
        { id: 'a', function: { name: 'f', arguments: '{"x":' } },
        { function: { arguments: '1}' } },
        { id: 'b', function: { name: 'g', arguments: { y: 2 } } },
      ],
    ],
    [
      'no index, every piece with its id',
      [
        { id: 'a', function: { name: 'f', arguments: '{"x":' } },
        { id: 'a', function: { arguments: '1}' } },
        { id: 'b', function: { name: 'g', arguments: { y: 2 } } },
      ],
    ],
    [
      'the id comes late',
      [
        { index: 0, function: { name: 'f', arguments: '{"x":' } },
        { index: 0, id: 'a', function: { arguments: '1}' } },
        { index: 1, id: 'b', function: { name: 'g', arguments: '{"y":2}' } },
      ],
    ],
  ])('%s', (_name, parts) => {
    const answer = decode(parts.map(call))
    expect(answer.stopReason).toBe('toolUse')
    expect(answer.content).toEqual([
      { type: 'toolCall', id: 'a', name: 'f', arguments: { x: 1 } },
      { type: 'toolCall', id: 'b', name: 'g', arguments: { y: 2 } },
    ])
  })

  test('whole calls without any id stay apart and get ids of their own', () => {
    const whole = (name: string) => call({ index: 0, function: { name, arguments: '{}' } })
    const { content } = decode([whole('f'), whole('f')])
    expect(content).toHaveLength(2)
    const ids = [...content, ...decode([whole('f')]).content].map((block) =>
      block.type === 'toolCall' ? block.id : '',
    )
    expect(new Set(ids).size).toBe(3)
  })

  test('a piece that adds nothing is no progress', () => {
    const decoder = createCompletionsDecoder({ ...MODEL, apiKey: null }, () => undefined)
    const push = (json: string) => {
      const delta = call({ index: 0, id: 'a', function: { name: 'f', arguments: json } })
      return decoder.push(JSON.stringify({ choices: [{ delta }] }))
    }
    expect([push(''), push(''), push('{'), push('')]).toEqual([true, false, true, false])
  })

  test('arguments that are no object are kept as they came', () => {
    const { content } = decode([call({ id: 'a', function: { name: 'f', arguments: '{"x' } })])
    expect(content).toMatchObject([{ arguments: { raw: '{"x' } }])
  })
})

describe('strings and reasons', () => {
  test('half characters are made whole everywhere', () => {
    const json = String.raw`{"x":"\ud800"}`
    const { content } = decode([
      { content: '\ud83d' },
      { content: '\ude00\ud800' },
      call({ id: 'a\ud800', function: { name: 'f', arguments: json } }),
    ])
    expect(content).toEqual([
      { type: 'text', text: '😀\ufffd' },
      { type: 'toolCall', id: 'a\ufffd', name: 'f', arguments: { x: '\ufffd' } },
    ])
  })

  test('a thought under two names counts once, an empty first name hides nothing', () => {
    expect(decode([{ reasoning_content: 'a', reasoning: 'a' }]).content).toEqual([
      { type: 'thinking', thinking: 'a', signature: 'reasoning_content' },
    ])
    expect(decode([{ reasoning_content: '', reasoning: 'b' }]).content).toEqual([
      { type: 'thinking', thinking: 'b', signature: 'reasoning' },
    ])
  })

  test('thoughts and text in parts, as Mistral sends them', () => {
    const thinking = [{ type: 'text', text: 'hm' }]
    const answer = decode([
      { content: [{ type: 'thinking', thinking }] },
      { content: [{ type: 'text', text: 'yes' }] },
    ])
    expect(answer.content).toEqual([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'yes' },
    ])
  })

  test('what OpenRouter signs is kept whole, to be sent back', () => {
    const piece = (more: object) => ({ type: 'reasoning.text', index: 0, ...more })
    const { content } = decode([
      { reasoning: 'a', reasoning_details: [piece({ text: 'a' })] },
      { reasoning: 'b', reasoning_details: [piece({ text: 'b' })] },
      { reasoning_details: [piece({ signature: 'S' })] },
      { reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'X' }] },
    ])
    expect(content).toEqual([
      {
        type: 'thinking',
        thinking: 'ab',
        signature: JSON.stringify([
          piece({ text: 'ab', signature: 'S' }),
          { type: 'reasoning.encrypted', index: 1, data: 'X' },
        ]),
      },
    ])
  })

  test.each([
    ['length', 'length'],
    ['MAX_TOKENS', 'length'],
    ['end', 'stop'],
    ['tool_calls', 'stop'],
  ])('%s ends as %s (X5)', (finish, expected) => {
    expect(decode([{ content: 'a' }], finish).stopReason).toBe(expected)
  })

  test.each([
    ['content_filter', 'content_blocked'],
    ['network_error', 'overloaded'],
    ['model_context_window_exceeded', 'overflow'],
  ])('%s is an error of class %s', (finish, cls) => {
    expect(() => decode([{ content: 'a' }], finish)).toThrow(
      expect.objectContaining({ class: cls }),
    )
  })

  test.each<[unknown, string]>([
    [{ error: { type: 'invalid_request_error', message: 'x' } }, 'refused'],
    [{ error: { error: { code: 'rate_limit_exceeded', message: 'x' } } }, 'rate_limit'],
    [{ code: 401, message: 'x secret-key-123' }, 'auth'],
    [{ error: { type: 'overloaded_error', message: 'x' } }, 'overloaded'],
    [{ error: 'prompt is too long' }, 'overflow'],
    [{ success: false, errors: [{ message: 'x' }] }, 'overloaded'],
  ])('the frame %j is an error of class %s', (frame, cls) => {
    const decoder = createCompletionsDecoder(
      { ...MODEL, apiKey: 'secret-key-123' },
      () => undefined,
    )
    expect(() => decoder.push(JSON.stringify(frame))).toThrow(
      expect.objectContaining({ class: cls, message: expect.not.stringContaining('secret') }),
    )
  })

  test('an empty error field beside an answer is none', () => {
    const decoder = createCompletionsDecoder({ ...MODEL, apiKey: null }, () => undefined)
    const choices = [{ delta: { content: 'a' }, finish_reason: 'stop' }]
    expect(decoder.push(JSON.stringify({ error: '', choices, usage: null }))).toBe(true)
    expect(decoder.finish().content).toEqual([{ type: 'text', text: 'a' }])
  })
})

describe('chunks as servers send them', () => {
  function read(chunks: readonly unknown[], done = true) {
    const decoder = createCompletionsDecoder({ ...MODEL, apiKey: null }, () => undefined)
    for (const chunk of chunks)
      decoder.push(typeof chunk === 'string' ? chunk : JSON.stringify(chunk))
    if (done) decoder.push('[DONE]')
    return decoder.finish()
  }
  const delta = (fields: unknown, finish: string | null = null) => ({
    choices: [{ index: 0, delta: fields, finish_reason: finish }],
  })

  test('[DONE] without a finish reason is a stop; an end without either is truncated', () => {
    expect(read([delta({ content: 'a' })]).stopReason).toBe('stop')
    expect(() => read([delta({ content: 'a' })], false)).toThrow(
      expect.objectContaining({ class: 'truncated' }),
    )
  })

  test.each<[string, unknown, string]>([
    ['an error object', { error: { message: 'x', code: 502 } }, 'overloaded'],
    ['with empty choices', { choices: [], error: { code: 429, message: 'x' } }, 'rate_limit'],
    ['doubly wrapped', { error: { error: { message: 'x' } } }, 'overloaded'],
    ['a JSON string', '"429 Too Many Requests"', 'rate_limit'],
    ['plain text', '429 Too Many Requests', 'rate_limit'],
  ])('an error frame in a 200 is an error: %s', (_name, chunk, cls) => {
    expect(() => read([delta({ content: 'a' }), chunk])).toThrow(
      expect.objectContaining({ class: cls }),
    )
  })

  test('usage comes from any chunk; cached tokens are not input', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 64 },
    }
    expect(read([delta({ content: 'a' }, 'stop'), { choices: [], usage }]).usage).toEqual({
      input: 36,
      output: 7,
      cacheRead: 64,
      cacheWrite: null,
      reasoning: null,
    })
    expect(read([delta({ content: 'a' }, 'stop')]).usage).toEqual({
      input: null,
      output: null,
      cacheRead: null,
      cacheWrite: null,
      reasoning: null,
    })
  })

  test('text after a tool call is a block of its own, blank pieces between calls are not (X1)', () => {
    const tool = (id: string) => ({
      tool_calls: [{ id, function: { name: 'f', arguments: '{}' } }],
    })
    const answer = read([
      delta({ content: 'A' }),
      delta({ content: '1' }),
      delta(tool('a')),
      delta({ content: '\n' }),
      delta(tool('b')),
      delta({ content: 'B' }, 'tool_calls'),
    ])
    const said = answer.content.map((block) => (block.type === 'text' ? block.text : block.type))
    expect(said).toEqual(['A1', 'toolCall', 'toolCall', 'B'])
  })

  test('a refusal is the text, and said to be one', () => {
    const answer = read([
      delta({ content: null, refusal: 'I ' }),
      delta({ refusal: 'cannot' }, 'stop'),
    ])
    expect(answer).toMatchObject({ refused: true, content: [{ type: 'text', text: 'I cannot' }] })
    expect(read([delta({ content: 'a', refusal: null }, 'stop')])).not.toHaveProperty('refused')
  })
})
