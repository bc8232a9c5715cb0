import { excerpt, splitSentences } from './pick-lines.ts'
import type { Fact, Pile } from './rank.ts'
import { note } from './rank.ts'
import type { Transcript } from './read-transcript.ts'

/** What people and the model said that outlives the conversation. */
export interface Talk {
  readonly constraints: Pile
  readonly decisions: Pile
  /** findings, and what users stated with figures or names */
  readonly facts: Pile
  /** plans and open questions of the last exchange */
  readonly plans: Pile
}

type Signal = readonly [pattern: RegExp, weight: number]

/** Words that mark a sentence; first match counts, so the strongest come first. `wide` is for text beyond ASCII. */
interface Signals {
  readonly ascii: readonly Signal[]
  readonly wide: readonly Signal[]
}

const CONSTRAINTS: Signals = {
  ascii: [
    [/\b(?:must|never|always|niemals|nie|immer|muss|darf|nunca|siempre|jamais|toujours)\b/i, 4],
    [/\b(?:only|prefers?|avoid|forbidden|not allowed|no new|nur|solo|mustn't)\b/i, 3],
    [/\b(?:do not|don't|cannot|can't|without|at most|at least|no more than)\b/i, 3],
    [/\b(?:should|shouldn't|requires?|required|careful|make sure|ensure|keep|please)\b/i, 2],
  ],
  wide: [
    [/必须|禁止|务必|不能|不得|总是|永远|必ず|絶対|してはいけ|반드시|절대/, 4],
    [/不要|请勿|只能|只用|避免|しないで|だけ|ないように|하지 ?마|만 사용/, 3],
    [/\b(?:mustn|don|can)’t\b/i, 3],
    [/应该|ください|べき|해야|\bshouldn’t\b/, 2],
  ],
}
const DECISIONS: Signals = {
  ascii: [
    [/^(?:\*\*)?(?:decision|decided)\b/i, 5],
    [/\b(?:decid(?:ed?|ing)|ch(?:oose|ose|osen)|opted|settled on|went with|going with)\b/i, 4],
    [/\b(?:because|instead of|rather than|so that|in favou?r of|trade-?offs?|rejected)\b/i, 3],
  ],
  wide: [
    [/决定|选择了|選択|決め|採用|결정/, 4],
    [/因为|而不是|ため|なので|代わりに|때문|대신/, 3],
  ],
}
const WIDE = /[\u0080-\uffff]/
const FINDING =
  /\b(?:root cause|turns? out|caused by|the (?:cause|reason|problem|bug|issue)|found|note that|measured|it (?:fails|breaks))\b|原因|発覚|발견/i
const STATED = /\d|`/
const PLAN =
  /\b(?:next|then|remaining|remains|still|left to|need to|have to|has to|I['’]ll|I will|let me|let's|plan|follow-?up|afterwards)\b|接下来|下一步|次に|これから|다음/i

/** Sorts sentences into what they are good for. A sentence goes to the first section that wants it. */
export function pickTalk(transcript: Transcript): Talk {
  const talk: Talk = {
    constraints: new Map(),
    decisions: new Map(),
    facts: new Map(),
    plans: new Map(),
  }
  const lastAsk = transcript.asks.at(-1)?.at ?? -1
  const lastWord = transcript.said.findLast((said) => said.by === 'assistant')?.at ?? -1
  for (const { at, by, line } of transcript.said) {
    for (const sentence of splitSentences(line)) {
      if (by === 'assistant') readAnswer(talk, sentence, at, at > lastAsk && at === lastWord)
      else readDemand(talk, sentence, at, by === 'user' ? 1 : 0)
    }
  }
  return talk
}

function readDemand(talk: Talk, sentence: string, at: number, bonus: number): void {
  const constraint = strength(CONSTRAINTS, sentence)
  // a question asks about a rule more often than it sets one
  if (constraint > 3 || (constraint > 0 && !/[?？]$/.test(sentence))) {
    add(talk.constraints, sentence, at, constraint + bonus)
    return
  }
  const decision = strength(DECISIONS, sentence)
  if (decision > 0) add(talk.decisions, sentence, at, decision + bonus)
  else if (STATED.test(sentence)) add(talk.facts, sentence, at, 2, 'Stated')
}

function readAnswer(talk: Talk, sentence: string, at: number, isLast: boolean): void {
  if (isLast && /[?？]["'`)*\]]{0,3}$/.test(sentence)) {
    add(talk.plans, sentence, at, 5, 'Open question')
    return
  }
  const decision = strength(DECISIONS, sentence)
  if (decision > 0) add(talk.decisions, sentence, at, decision)
  else if (FINDING.test(sentence)) add(talk.facts, sentence, at, 3, 'Finding')
  if (isLast && PLAN.test(sentence)) add(talk.plans, sentence, at, 4)
}

function strength(signals: Signals, sentence: string): number {
  const found = signals.ascii.find(([pattern]) => pattern.test(sentence))
  if (found !== undefined) return found[1]
  if (!WIDE.test(sentence)) return 0
  return signals.wide.find(([pattern]) => pattern.test(sentence))?.[1] ?? 0
}

function add(pile: Pile, sentence: string, at: number, weight: number, label?: string): void {
  const text = excerpt(sentence)
  // one word is an answer to something, not a statement
  if (text.length < 4) return
  const fact: Fact = label === undefined ? { text, at, weight } : { label, text, at, weight }
  note(pile, fact)
}
