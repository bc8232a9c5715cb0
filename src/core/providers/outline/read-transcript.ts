import type { Block, InputBlock, Message, ToolCallBlock } from '../../entry.ts'
import { readText, slice, splitLines } from './pick-lines.ts'
import type { CarriedLine } from './read-document.ts'
import { readDocument } from './read-document.ts'

/** One prose line and who said it. `at` is the message's index. */
export interface Said {
  readonly at: number
  readonly by: 'user' | 'assistant' | 'reminder'
  readonly line: string
}
/** A tool call and what came of it; `ok` null while there is no result. */
export interface Step {
  readonly at: number
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  ok: boolean | null
  /** lines of the start and the end of the result */
  result: readonly string[]
}
/** What someone asked for, line by line. */
export interface Ask {
  readonly at: number
  readonly lines: readonly string[]
}

/** Everything the outline is made of, in the order of the messages. */
export interface Transcript {
  readonly count: number
  /** characters of all that was said, called and returned */
  readonly size: number
  readonly said: readonly Said[]
  readonly steps: readonly Step[]
  readonly asks: readonly Ask[]
  readonly carried: readonly (CarriedLine & { readonly at: number })[]
  readonly code: readonly { readonly at: number; readonly lines: readonly string[] }[]
}

const RESULT_HEAD = 1_500
const RESULT_TAIL = 2_500
/** A longer reminder is a file or a dump, not a rule. */
const MOST_REMINDER = 2_000
/** A shorter line says yes or no to something; it is kept where it is a request. */
const LEAST_LINE = 5
/** How Baton's own messages about things that are no requests begin. */
const NOT_AN_ASK =
  /^(?:The user ran this (?:command|Python code):|Result of an earlier call of the tool |File )/

/** Takes the messages apart once; nothing is interpreted here beyond who said it. */
export function readTranscript(messages: readonly Message[]): Transcript {
  const said: Said[] = []
  const steps: Step[] = []
  const asks: Ask[] = []
  const carried: (CarriedLine & { readonly at: number })[] = []
  const code: { readonly at: number; readonly lines: readonly string[] }[] = []
  const open = new Map<string, Step>()
  let size = 0
  for (const [at, message] of messages.entries()) {
    if (message.role === 'toolResult') {
      size += readResult(message.content, message.isError, open.get(message.toolCallId))
      continue
    }
    if (message.role === 'assistant') {
      for (const block of message.content) size += readBlock(block, at)
      continue
    }
    const text = joinText(message.content)
    size += text.length
    if (message.role === 'user') readUser(text, message.attribution === 'agent', at)
    else if (text.length <= MOST_REMINDER && !NOT_AN_ASK.test(text)) say(text, 'reminder', at)
  }
  return { count: messages.length, size, said, steps, asks, carried, code }

  function readUser(text: string, byAgent: boolean, at: number): void {
    const framed = readDocument(text)
    for (const line of framed?.lines ?? []) carried.push({ ...line, at })
    const own = framed === null ? text : framed.rest
    const isAsk = !byAgent && !NOT_AN_ASK.test(own)
    const lines = say(own, isAsk ? 'user' : 'reminder', at)
    if (isAsk && lines.length > 0) asks.push({ at, lines })
  }

  function readBlock(block: Block, at: number): number {
    if (block.type === 'text') {
      say(block.text, 'assistant', at)
      return block.text.length
    }
    if (block.type === 'toolCall') return readCall(block, at)
    return block.type === 'thinking' ? block.thinking.length : 0
  }

  function readCall(call: ToolCallBlock, at: number): number {
    const step: Step = { at, name: call.name, args: call.arguments, ok: null, result: [] }
    steps.push(step)
    open.set(call.id, step)
    return call.name.length + sizeOf(call.arguments, 0)
  }

  function say(text: string, by: Said['by'], at: number): readonly string[] {
    const parts = readText(text)
    for (const line of parts.prose) if (line.length >= LEAST_LINE) said.push({ at, by, line })
    for (const lines of parts.code) if (lines.length > 0) code.push({ at, lines })
    return parts.prose
  }
}

function readResult(
  content: string | readonly InputBlock[],
  isError: boolean,
  step: Step | undefined,
): number {
  const text = joinText(content)
  if (step !== undefined) {
    step.ok = !isError
    step.result =
      text.length <= RESULT_HEAD + RESULT_TAIL
        ? splitLines(text)
        : [
            ...splitLines(slice(text, 0, RESULT_HEAD)),
            ...splitLines(slice(text, text.length - RESULT_TAIL, text.length)),
          ]
  }
  return text.length
}

function joinText(content: string | readonly InputBlock[]): string {
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
}

function sizeOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || depth > 8) return 0
  let size = 0
  for (const inner of Object.values(value)) size += sizeOf(inner, depth + 1)
  return size
}
