import { clip, excerpt } from './pick-lines.ts'
import type { Fact } from './rank.ts'
import { toKey } from './rank.ts'
import type { Ask, Transcript } from './read-transcript.ts'

const MOST_LINES_PER_ASK = 5
const MOST_BETWEEN = 40
const MOST_CARRIED = 12
const MOST_FOCUS_LINES = 4
const MOST_CHARACTERS = 500
const OWN_LABEL = /^(First request|Latest request|Earlier request|Request|Focus): /

/** A line of the goal with the place it is printed at. */
export interface GoalLine {
  readonly fact: Fact
  readonly order: number
}

/** What the user wants: the focus, what an earlier document says, the first and the latest request, then those between, newest first. */
export function stateGoal(transcript: Transcript, focus: string | null): readonly GoalLine[] {
  const { asks } = transcript
  const carried = transcript.carried.filter((line) => line.section === 'goal')
  const first = asks[0]
  const latest = asks.at(-1)
  const lines: GoalLine[] = []
  const seen = new Set<string>()
  const put = (fact: Fact, order: number): void => {
    const key = toKey(fact.text)
    if (fact.text === '' || seen.has(key)) return
    seen.add(key)
    lines.push({ fact: { ...fact, text: clip(fact.text, MOST_CHARACTERS) }, order })
  }
  const putAsk = (ask: Ask, label: string, most: number): void => {
    const texts = ask.lines
      .slice(0, 40)
      .map(excerpt)
      .filter((text) => text !== '')
    for (const [index, text] of texts.slice(0, most).entries()) {
      put(
        { label: index === 0 ? label : `${label}, continued`, text, at: ask.at, weight: 0 },
        ask.at + 1 + index / 10,
      )
    }
  }

  const focused = focus === null ? [] : focus.split('\n').slice(0, 40).map(excerpt)
  for (const text of focused.filter((it) => it !== '').slice(0, MOST_FOCUS_LINES)) {
    put({ label: 'Focus', text, at: 0, weight: 0 }, 0)
  }
  if (first !== undefined && carried.length === 0) {
    putAsk(first, asks.length === 1 ? 'Request' : 'First request', MOST_LINES_PER_ASK)
  }
  for (const { text, at } of carried.slice(0, 3)) put(relabel(text, at), at + 0.5)
  if (latest !== undefined) putAsk(latest, 'Latest request', MOST_LINES_PER_ASK)
  for (const { text, at } of carried.slice(3, MOST_CARRIED)) put(relabel(text, at), at + 0.5)
  for (const ask of asks.toReversed().slice(0, MOST_BETWEEN)) putAsk(ask, 'Request', 1)
  return lines
}

/** The latest request of an earlier document is no longer the latest one. */
function relabel(text: string, at: number): Fact {
  const label = OWN_LABEL.exec(text)
  if (label === null) return { text, at, weight: 0 }
  const rest = text.slice(label[0].length)
  const was = label[1]
  const now = was === 'First request' ? was : was === 'Focus' ? 'Earlier focus' : 'Earlier request'
  return { label: now, text: rest, at, weight: 0 }
}
