/** Something worth a line in the document: a verbatim excerpt and what speaks for it. */
export interface Fact {
  /** Baton's own word in front of the excerpt */
  readonly label?: string
  readonly text: string
  /** a second excerpt, e.g. what a command answered */
  readonly outcome?: string
  /** index of the message it was last seen in */
  readonly at: number
  readonly weight: number
}

/** Facts without repetitions, in the order they were first noted. */
export type Pile = Map<string, { fact: Fact; times: number }>

/** Words of a focus that say nothing about its subject. */
const STOP_WORDS = new Set(
  'the and for with that this from into onto about what which have has had are was were will should must can please focus work'.split(
    ' ',
  ),
)
const LIFT = 6

/** Adds a fact; one that says the same replaces the earlier one's time and makes it count more. */
export function note(pile: Pile, fact: Fact, key: string = toKey(fact.text)): void {
  const known = pile.get(key)
  if (known === undefined) {
    pile.set(key, { fact, times: 1 })
    return
  }
  known.times++
  known.fact = { ...known.fact, at: fact.at, weight: Math.max(known.fact.weight, fact.weight) }
}

/** What two ways of writing the same sentence have in common. */
export function toKey(text: string): string {
  const key = text
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]{1,200}/gu, ' ')
    .trim()
    .replace(/^(?:decision|decided|todo|note) /, '')
  return key === '' ? text : key
}

/** Facts with their scores, best first: what they are, how recent, how often repeated, and whether the focus names them. */
export function rank(
  pile: Pile,
  count: number,
  focus: readonly string[],
): readonly { readonly fact: Fact; readonly score: number }[] {
  return [...pile.values()]
    .map(({ fact, times }) => ({ fact, score: scoreFact(fact, times, count, focus) }))
    .sort((a, b) => b.score - a.score || b.fact.at - a.fact.at)
}

/** The words by which lines are recognised as belonging to a focus; scripts without spaces give pairs of characters. */
export function focusWords(focus: string | null): readonly string[] {
  const words = new Set<string>()
  for (const match of (focus ?? '')
    .slice(0, 2_000)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}_]{2,64}/gu)) {
    const word = match[0]
    if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(word)) {
      for (let at = 0; at + 2 <= word.length; at++) words.add(word.slice(at, at + 2))
    } else if (word.length > 2 && !STOP_WORDS.has(word)) words.add(word)
  }
  return [...words].slice(0, 60)
}

function scoreFact(fact: Fact, times: number, count: number, focus: readonly string[]): number {
  const recency = count === 0 ? 0 : (fact.at + 1) / count
  const text = focus.length === 0 ? '' : `${fact.text} ${fact.outcome ?? ''}`.toLowerCase()
  const named = focus.some((word) => text.includes(word)) ? LIFT : 0
  return fact.weight + 2 * recency + Math.min(2, Math.log2(times) / 2) + named
}
