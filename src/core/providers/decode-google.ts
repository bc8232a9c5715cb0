import type { Block, ToolCallBlock, Usage } from '../entry.ts'
import { classifyFrame } from './classify-error.ts'
import type { Fields } from './fields.ts'
import { asFields, listOf, textOf } from './fields.ts'
import {
  brokeOff,
  checkFrame,
  isFlatError,
  joinText,
  parseArguments,
  parseFrame,
} from './read-frame.ts'
import { countOf, without } from './read-usage.ts'
import { secretsOf } from './secrets-of.ts'
import type { Decoder, Model, ModelAnswer, ModelEvent } from './types.ts'
import { ProviderError } from './types.ts'

/** Finish reasons of a filter: asking again would end the same. */
const BLOCKED =
  /^(?:SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII|IMAGE_.*|NO_IMAGE|ESCALATION|MODEL_ARMOR)$/
/** The model wrote a call that is none; what it said besides counts. */
const MISCALLED =
  /^(?:MALFORMED_FUNCTION_CALL|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS|MALFORMED_RESPONSE)$/

/** The request itself was wrong. */
const REFUSED = new Set(['MISSING_THOUGHT_SIGNATURE', 'PUP_LIMITED_DISABLED'])

/** A block on its way: parts of one kind in a row. */
type OpenBlock =
  | { readonly type: 'text' | 'thinking'; readonly pieces: string[]; signature: string }
  | ToolCallBlock

/** Chunks of a streamed generation, or one array of them, → one answer; see Decoder. */
export function createGoogleDecoder(model: Model, onEvent: (event: ModelEvent) => void): Decoder {
  const blocks: OpenBlock[] = []
  let usage: Fields | null = null
  let finishReason: string | null = null
  let blockReason: string | null = null

  function push(data: string): boolean {
    if (data.trim() === '' || data.trim() === '[DONE]') return false
    const value = parseFrame(data, model)
    // A server that ignores `alt=sse` streams one array, which comes here whole.
    if (!Array.isArray(value)) return readChunk(checkFrame(value, model))
    let moved = false
    for (const chunk of value) moved = readChunk(checkFrame(chunk, model)) || moved
    return moved
  }

  function readChunk(chunk: Fields): boolean {
    if (chunk['candidates'] === undefined && isFlatError(chunk)) {
      throw classifyFrame(chunk, secretsOf(model))
    }
    usage = asFields(chunk['usageMetadata']) ?? usage
    blockReason = textOf(asFields(chunk['promptFeedback']), 'blockReason') || blockReason
    const [candidate = null] = listOf(chunk['candidates'])
    finishReason = textOf(candidate, 'finishReason') || finishReason
    let moved = false
    for (const part of listOf(asFields(candidate?.['content'])?.['parts'])) {
      moved = readPart(part) || moved
    }
    return moved
  }

  function readPart(part: Fields): boolean {
    const signature = textOf(part, 'thoughtSignature')
    const call = asFields(part['functionCall'])
    if (call !== null) {
      const args = JSON.stringify(call['args'] ?? {})
      const id = textOf(call, 'id').toWellFormed() || `call_${crypto.randomUUID()}`
      const name = textOf(call, 'name').toWellFormed()
      const index = blocks.filter(({ type }) => type === 'toolCall').length
      blocks.push({
        type: 'toolCall',
        id,
        name,
        arguments: parseArguments(args),
        ...(signature === '' ? {} : { signature }),
      })
      onEvent({ type: 'toolCall', index, id, name, delta: args })
      return true
    }
    const delta = textOf(part, 'text')
    if (delta === '' && signature === '') return false
    const type = part['thought'] === true ? 'thinking' : 'text'
    const last = blocks.at(-1)
    // A signature ends what it signs: it goes back on the very part.
    if (last?.type === type && last.signature === '') {
      last.pieces.push(delta)
      last.signature = signature
    } else blocks.push({ type, pieces: [delta], signature })
    if (delta !== '') onEvent({ type, delta })
    return delta !== ''
  }

  function finish(): ModelAnswer {
    if (blockReason !== null) {
      throw new ProviderError('content_blocked', `The provider blocked the prompt (${blockReason})`)
    }
    if (finishReason === null) throw brokeOff()
    if (BLOCKED.test(finishReason)) {
      throw new ProviderError(
        'content_blocked',
        `The provider’s content filter stopped the answer (${finishReason})`,
      )
    }
    const content = blocks.flatMap(toBlock)
    const said = content.some((block) => block.type === 'text' && block.text.trim() !== '')
    const ended = `The provider ended the answer with ${finishReason}`
    if (REFUSED.has(finishReason)) throw new ProviderError('refused', ended)
    const miscalled = MISCALLED.test(finishReason)
    const calls = content.some(({ type }) => type === 'toolCall')
    const cut = finishReason === 'MAX_TOKENS' || finishReason === 'CONTINUATION'
    const done = finishReason === 'STOP' || cut || (calls && !miscalled)
    // Chance decides what a model writes: without an answer it is asked again.
    if (!done && !said) throw new ProviderError('overloaded', ended)
    const kept = miscalled ? content.filter(({ type }) => type !== 'toolCall') : content
    const called = kept.some(({ type }) => type === 'toolCall')
    const stop = cut ? 'length' : called ? 'toolUse' : 'stop'
    return { content: kept, stopReason: stop, usage: readUsage(usage) }
  }

  return { push, finish }
}

function toBlock(open: OpenBlock): readonly Block[] {
  if (open.type === 'toolCall') return [open]
  const text = joinText(open.pieces)
  const mark = open.signature === '' ? {} : { signature: open.signature }
  if (open.type === 'thinking') return [{ type: 'thinking', thinking: text, ...mark }]
  return text === '' && open.signature === '' ? [] : [{ type: 'text', text, ...mark }]
}

/** This API counts cached tokens within the prompt, and thoughts beside the answer. */
function readUsage(usage: Fields | null): Usage {
  const cacheRead = countOf(usage, 'cachedContentTokenCount')
  const reasoning = countOf(usage, 'thoughtsTokenCount')
  const candidates = countOf(usage, 'candidatesTokenCount')
  const prompt = countOf(usage, 'promptTokenCount')
  const tools = countOf(usage, 'toolUsePromptTokenCount') ?? 0
  return {
    input: without(prompt === null ? null : prompt + tools, cacheRead, null),
    output: candidates === null && reasoning === null ? null : (candidates ?? 0) + (reasoning ?? 0),
    cacheRead,
    cacheWrite: null,
    reasoning,
  }
}
