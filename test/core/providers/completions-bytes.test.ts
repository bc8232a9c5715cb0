import OpenAI from 'openai'
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'
import { describe, expect, test } from 'vitest'
import { createCompletionsDecoder } from '../../../src/core/providers/decode-completions.ts'
import { decodePieces, splits } from '../../support/decode-bytes.ts'
import { serveBytes } from '../../support/serve-bytes.ts'
import { BAD, GOOD } from './completions-fixtures.ts'
import { MODEL } from './model.ts'

const createDecoder = () => createCompletionsDecoder(MODEL, () => undefined)

describe.each(GOOD)('$name', ({ bytes, good, text, thinking, calls = [], usage }) => {
  test('is one answer, however the bytes are cut', async () => {
    for (const pieces of splits(bytes)) {
      const { content, usage: counted } = await decodePieces(pieces, createDecoder)
      const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
      expect(texts.join('')).toBe(text)
      const called = content.flatMap((block) => (block.type === 'toolCall' ? [block] : []))
      expect(called).toMatchObject(calls)
      expect(called).toHaveLength(calls.length)
      if (thinking !== undefined) expect(content[0]).toMatchObject({ type: 'thinking', thinking })
      if (usage !== undefined) expect(counted).toMatchObject(usage)
    }
  })

  test.runIf(good)('is read by OpenAI’s client alike', async () => {
    const read = await serveBytes(bytes, readWithClient)
    expect(read.text).toBe(text)
    expect(read.calls.map(({ name, json }) => ({ name, arguments: JSON.parse(json) }))).toEqual(
      calls,
    )
    if (usage !== undefined) {
      expect(read.usage).toMatchObject({
        prompt_tokens: usage.input + (usage.cacheRead ?? 0),
        completion_tokens: usage.output,
      })
    }
  })
})

test.each(BAD)('$name is an error of class $class, however the bytes are cut', async (fixture) => {
  for (const pieces of splits(fixture.bytes)) {
    await expect(decodePieces(pieces, createDecoder)).rejects.toMatchObject({
      class: fixture.class,
    })
  }
})

async function readWithClient(origin: string) {
  const client = new OpenAI({ apiKey: 'k', baseURL: origin, maxRetries: 0 })
  const params = {
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    stream: true,
  } satisfies ChatCompletionCreateParamsStreaming
  let text = ''
  let usage: unknown
  const calls: { name: string; json: string }[] = []
  for await (const { choices, usage: counted } of await client.chat.completions.create(params)) {
    if (counted) usage = counted
    text += choices[0]?.delta?.content ?? ''
    for (const part of choices[0]?.delta?.tool_calls ?? []) {
      calls[part.index] ??= { name: '', json: '' }
      calls[part.index]!.name ||= part.function?.name ?? ''
      calls[part.index]!.json += part.function?.arguments ?? ''
    }
  }
  return { text, usage, calls }
}
