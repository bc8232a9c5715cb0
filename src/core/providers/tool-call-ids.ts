import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Api, Model } from './types.ts'

/** Ids as each API takes them: OpenAI counts characters, Anthropic looks at them. */
const ACCEPTED: Readonly<Record<Api, RegExp>> = {
  'openai-completions': /^.{1,40}$/,
  'openai-responses': /^.{1,64}$/,
  'anthropic-messages': /^[A-Za-z0-9_-]{1,64}$/,
  'google-generative-ai': /^.{1,64}$/,
  outline: /^/,
}
const NINE = /^[A-Za-z0-9]{9}$/

/** Gives the tool calls of one conversation, in order, ids that its provider takes and that occur once. */
export interface ToolCallIds {
  /** the id to send for a call; null for a second one of that id in the same message, which no provider takes */
  call(id: string): string | null
  /** the id to send for a result of the latest assistant message */
  result(id: string): string
  /** forgets which call a stored id stood for: the next assistant message may use it again */
  next(): void
}

/** Depends on nothing but the ids that came before, so that a longer conversation begins with the same bytes. */
export function createToolCallIds({ api, options }: Model): ToolCallIds {
  const accepted = options.toolCallIds === 'alnum9' ? NINE : ACCEPTED[api]
  const digits = options.toolCallIds === 'alnum9' ? 9 : 32
  const used = new Set<string>()
  let current = new Map<string, string>()
  return {
    call(id) {
      if (current.has(id)) return null
      let sent = accepted.test(id) ? id : hash(id, digits)
      // Some servers count their calls anew in each answer.
      for (let more = 1; used.has(sent); more += 1) sent = hash(`${id}#${more}`, digits)
      used.add(sent)
      current.set(id, sent)
      return sent
    },
    result: (id) => current.get(id) ?? id,
    next() {
      if (current.size > 0) current = new Map()
    },
  }
}

function hash(id: string, digits: number): string {
  return bytesToHex(sha256(new TextEncoder().encode(id))).slice(0, digits)
}
