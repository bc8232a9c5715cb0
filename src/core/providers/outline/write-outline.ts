import type { Message } from '../../entry.ts'
import type { Item, Part } from './fit.ts'
import { fit } from './fit.ts'
import { pickContext } from './pick-context.ts'
import { listCode, orderOf } from './list-context.ts'
import { clip, excerpt } from './pick-lines.ts'
import { pickProgress } from './pick-progress.ts'
import { pickTalk } from './pick-talk.ts'
import type { Fact, Pile } from './rank.ts'
import { focusWords, note, rank, toKey } from './rank.ts'
import type { Section } from './read-document.ts'
import type { Transcript } from './read-transcript.ts'
import { readTranscript } from './read-transcript.ts'
import { stateGoal } from './state-goal.ts'

/** What a document may be at most: a share of the transcript, but never less than this. */
const SHARE = 0.04
const LEAST = 6_000
/** A document is read at the start of every later turn; more than this costs more than it tells. */
const MOST = 32_000
const MOST_TEXT = 300
const MOST_OUTCOME = 140
const MOST_FACTS = 140
const MOST_NEXT = 8

interface Ranking {
  readonly count: number
  readonly words: readonly string[]
}

/** A handoff document made of excerpts of the messages: nothing is in it that nobody said. Pure and deterministic. */
export function writeOutline(
  messages: readonly Message[],
  options: { readonly focus?: string | null } = {},
): string {
  const focus = options.focus ?? null
  const transcript = readTranscript(messages)
  const ranking = { count: transcript.count, words: focusWords(focus) }
  const talk = pickTalk(transcript)
  const progress = pickProgress(transcript)
  carry(transcript, 'constraints', talk.constraints)
  carry(transcript, 'decisions', talk.decisions)
  const facts = rank(merge(pickContext(transcript), talk.facts), ranking.count, ranking.words)
  const context = [
    ...listCode(transcript),
    ...facts.slice(0, MOST_FACTS).map(({ fact }) => ({ text: write(fact), order: orderOf(fact) })),
  ]
  const goal = stateGoal(transcript, focus).map(({ fact, order }) => ({ text: write(fact), order }))
  const next = list(
    planNext(transcript, talk.plans, progress.doing, progress.pending),
    ranking,
    MOST_NEXT,
  )
  const parts: readonly Part[] = [
    { heading: '## Goal', bullet: '- ', items: goal, weight: 100, half: 6 },
    {
      heading: '## Constraints & Preferences',
      bullet: '- ',
      items: list(talk.constraints, ranking, 80),
      weight: 70,
      half: 14,
    },
    {
      heading: '## Progress\n\n### Done',
      bullet: '- [x] ',
      items: list(progress.done, ranking, 80),
      weight: 40,
      half: 8,
    },
    {
      heading: '### In Progress',
      bullet: '- [ ] ',
      items: list(progress.doing, ranking, 20),
      weight: 55,
      half: 6,
    },
    {
      heading: '### Pending',
      bullet: '- [ ] ',
      items: list(progress.pending, ranking, 60),
      weight: 50,
      half: 9,
    },
    {
      heading: '## Key Decisions',
      bullet: '- ',
      items: list(talk.decisions, ranking, 60),
      weight: 60,
      half: 10,
    },
    { heading: '## Critical Context', bullet: '- ', items: context, weight: 50, half: 14 },
    {
      heading: '## Next Steps',
      bullet: null,
      items: next.map((item, order) => ({ ...item, order })),
      weight: 65,
      half: 5,
    },
  ]
  const limit = Math.min(MOST, Math.max(LEAST, Math.floor(transcript.size * SHARE)))
  // half a surrogate pair in a message must not make the document unfit for UTF-8
  return fit(parts, limit).toWellFormed()
}

function list(pile: Pile, { count, words }: Ranking, most: number): readonly Item[] {
  return rank(pile, count, words)
    .slice(0, most)
    .map(({ fact }) => ({ text: write(fact), order: fact.at }))
}

function write({ label, text, outcome }: Fact): string {
  const start = label === undefined ? '' : `${label}: `
  const end = outcome === undefined ? '' : ` → ${clip(outcome, MOST_OUTCOME)}`
  return `${start}${clip(text, label?.includes('equest') ? text.length : MOST_TEXT)}${end}`
}

function carry(transcript: Transcript, section: Section, pile: Pile): void {
  for (const line of transcript.carried) {
    if (line.section === section) note(pile, { text: line.text, at: line.at, weight: 4 })
  }
}

function merge(pile: Pile, more: Pile): Pile {
  for (const [key, value] of more) if (!pile.has(key)) pile.set(key, value)
  return pile
}

/** An unanswered request comes first, then what the last answer planned, then open work. */
function planNext(transcript: Transcript, plans: Pile, doing: Pile, pending: Pile): Pile {
  const next: Pile = new Map()
  const ask = transcript.asks.at(-1)
  const answered = Math.max(
    transcript.said.findLast((said) => said.by === 'assistant')?.at ?? -1,
    transcript.steps.at(-1)?.at ?? -1,
  )
  const wish =
    ask === undefined
      ? ''
      : (ask.lines
          .slice(0, 40)
          .map(excerpt)
          .find((it) => it !== '') ?? '')
  if (ask !== undefined && wish !== '' && ask.at > answered) {
    note(next, { label: 'Asked', text: wish, at: ask.at, weight: 20 })
  }
  for (const { fact } of plans.values()) note(next, { ...fact, weight: fact.weight + 8 })
  for (const [pile, weight] of [
    [doing, 5],
    [pending, 2],
  ] as const) {
    for (const [key, { fact }] of pile) {
      const { outcome: _outcome, ...rest } = fact
      if (!next.has(toKey(fact.text))) note(next, { ...rest, weight: rest.weight + weight }, key)
    }
  }
  return next
}
