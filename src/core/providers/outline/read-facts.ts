import type { Block, Message, ToolCallBlock } from '../../entry.ts'
import { unwrapDocument } from '../../handoff/frame.ts'
import { clipText, lastCodeBlock, quote, toSentences } from './read-lines.ts'

/** A transcript → the facts that a handoff document is made of, each a quotation of a message. Pure, one pass. */

export interface Facts {
  /** what users asked for, in order */
  readonly requests: readonly string[]
  readonly constraints: readonly string[]
  readonly done: readonly string[]
  readonly inProgress: readonly string[]
  readonly pending: readonly string[]
  readonly decisions: readonly string[]
  /** paths, symbols, commands, URLs and error texts with how often and how late they came */
  readonly mentions: readonly Mention[]
  readonly codeBlocks: readonly string[]
  /** sentences of the last answer */
  readonly lastAnswer: readonly string[]
}

export interface Mention {
  readonly kind: 'path' | 'command' | 'error' | 'url' | 'symbol'
  readonly text: string
  readonly count: number
  /** index of the last message that has it */
  readonly last: number
}

const CONSTRAINT =
  /\b(?:must|never|always|only|prefer|don['’]t|do not|should not|avoid|make sure|without)\b/i
const DECISION =
  /\b(?:decided|decision|chose|chosen|because|instead of|rather than|so that|we(?:['’]ll| will) use|going with)\b/i
const DONE =
  /\b(?:done|fixed|added|implemented|completed|finished|created|updated|removed|renamed|moved|passes|passing|works now|is in place)\b/i
const DOING =
  /\b(?:working on|in progress|currently|started|now (?:i|we)(?:['’]ll| will)|let me)\b/i
const PENDING =
  /\b(?:todo|next|remaining|still (?:need|to|has|have)|not yet|left to do|later|follow[- ]up)\b/i
const ERROR =
  /\b(?:[A-Z]\w{0,40}Error|Error|error|FAIL(?:ED)?|exception|panic|ENOENT|EACCES|fatal)\b[: ]/
/** Tools that change nothing: having looked is no progress. */
const LOOKS_ONLY = /^(?:read|grep|glob|ls|list|find|search|view|fetch|web)/i
const PATTERNS: readonly (readonly [Mention['kind'], RegExp])[] = [
  ['url', /\bhttps?:\/\/[^\s<>"'`)\]}]{3,200}/g],
  ['path', /(?<![\w/.:-])(?:\.{0,2}\/)?(?:[\w@.-]{1,60}\/){1,12}[\w@.-]{1,80}\.[A-Za-z]\w{0,7}\b/g],
  ['symbol', /`([A-Za-z_$][\w$.:#-]{2,60}(?:\(\))?)`/g],
]

/** `focus` is not looked at here: it only decides which facts come first. */
export function readFacts(messages: readonly Message[]): Facts {
  const requests: string[] = []
  const constraints = new Set<string>()
  const done = new Set<string>()
  const inProgress = new Set<string>()
  const pending = new Set<string>()
  const decisions = new Set<string>()
  const mentions = new Map<
    string,
    { kind: Mention['kind']; text: string; count: number; last: number }
  >()
  const codeBlocks: string[] = []
  const calls = new Map<string, ToolCallBlock>()
  let lastAnswer: readonly string[] = []

  function mention(kind: Mention['kind'], text: string, at: number): void {
    const known = mentions.get(text)
    if (known === undefined) mentions.set(text, { kind, text, count: 1, last: at })
    else {
      known.count += 1
      known.last = at
    }
  }

  function readMentions(text: string, at: number): void {
    const clipped = clipText(text)
    for (const [kind, pattern] of PATTERNS) {
      for (const match of clipped.matchAll(pattern)) mention(kind, match[1] ?? match[0], at)
    }
  }

  function readBoxes(text: string): void {
    for (const [, box, item] of clipText(text).matchAll(
      /^\s{0,12}[-*+] \[([ xX~-])\] (.{2,400})$/gm,
    )) {
      if (item === undefined) continue
      ;(box === ' ' ? pending : box === '~' || box === '-' ? inProgress : done).add(quote(item))
    }
  }

  for (const [at, message] of messages.entries()) {
    const texts = textsOf(message.content)
    for (const text of texts) readMentions(text, at)
    switch (message.role) {
      case 'user':
      case 'developer': {
        for (const text of texts) {
          readBoxes(text)
          const sentences = toSentences(unwrapDocument(text) ?? text)
          const first = sentences[0]
          if (first !== undefined && message.attribution !== 'agent')
            requests.push(sentences.slice(0, 3).join(' '))
          for (const sentence of sentences)
            if (CONSTRAINT.test(sentence)) constraints.add(quote(sentence))
        }
        break
      }
      case 'assistant': {
        for (const block of message.content) {
          if (block.type !== 'toolCall') continue
          calls.set(block.id, block)
          for (const value of Object.values(block.arguments)) {
            if (typeof value === 'string' && value.length < 400) readMentions(value, at)
          }
        }
        for (const text of texts) {
          readBoxes(text)
          const sentences = toSentences(text).filter((sentence) => !/^[-*+] \[/.test(sentence))
          for (const sentence of sentences) {
            if (DECISION.test(sentence)) decisions.add(quote(sentence))
            else if (PENDING.test(sentence)) pending.add(quote(sentence))
            else if (DONE.test(sentence)) done.add(quote(sentence))
            else if (DOING.test(sentence)) inProgress.add(quote(sentence))
          }
          if (sentences.length > 0) lastAnswer = sentences
          const code = lastCodeBlock(clipText(text))
          if (code !== null) codeBlocks.push(code)
        }
        break
      }
      case 'toolResult': {
        const call = calls.get(message.toolCallId)
        const label =
          `${message.toolName}${call === undefined ? '' : ` ${argumentOf(call)}`}`.trim()
        const command = call?.arguments['command'] ?? call?.arguments['cmd']
        if (typeof command === 'string') mention('command', quote(command), at)
        const failure = texts.map((text) => errorLine(clipText(text))).find((line) => line !== null)
        if (failure != null && (message.isError || ERROR.test(failure)))
          mention('error', quote(failure), at)
        if (message.isError) inProgress.add(quote(`${label}: ${failure ?? texts[0] ?? ''}`))
        else if (!LOOKS_ONLY.test(message.toolName)) {
          inProgress.delete(quote(label))
          done.add(quote(label))
        }
        break
      }
    }
  }
  return {
    requests,
    constraints: [...constraints],
    done: [...done],
    inProgress: [...inProgress],
    pending: [...pending].filter((item) => !done.has(item)),
    decisions: [...decisions],
    mentions: [...mentions.values()],
    codeBlocks,
    lastAnswer,
  }
}

function textsOf(content: string | readonly Block[]): readonly string[] {
  if (typeof content === 'string') return [content]
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
}

/** The argument that says most about a call: a path or a command, else the first short string. */
function argumentOf(call: ToolCallBlock): string {
  const args = call.arguments
  const named =
    args['path'] ?? args['file'] ?? args['file_path'] ?? args['command'] ?? args['pattern']
  const value =
    named ?? Object.values(args).find((each) => typeof each === 'string' && each.length < 200)
  return typeof value === 'string' ? value : ''
}

function errorLine(text: string): string | null {
  const match = ERROR.exec(text)
  if (match === null) return null
  const start = text.lastIndexOf('\n', match.index) + 1
  const end = text.indexOf('\n', match.index)
  return text.slice(Math.max(start, match.index - 120), end < 0 ? undefined : end)
}
