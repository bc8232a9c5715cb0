import type { Message } from '../../entry.ts'
import type { Facts, Mention } from './read-facts.ts'
import { readFacts } from './read-facts.ts'
import { quote, toSentences } from './read-lines.ts'

/** Characters that a document may always have; a longer transcript allows more. */
const LEAST = 6_000
const SHARE = 0.04
const NONE = 'None recorded'

/** A line with what it is worth: the budget goes to the highest. */
interface Line {
  readonly text: string
  readonly worth: number
}

interface Section {
  readonly heading: string
  readonly lines: readonly Line[]
  readonly empty: string
  /** lines that it may have at all */
  readonly most: number
}

/**
 * The handoff document of a transcript, made without a model: every line quotes a message, nothing is made up.
 * Deterministic; at most 4 % of the transcript or 6,000 characters, whichever is larger.
 */
export function writeOutline(
  messages: readonly Message[],
  options: { readonly focus?: string | null } = {},
): string {
  const facts = readFacts(messages)
  const budget = Math.max(LEAST, Math.floor(sizeOf(messages) * SHARE))
  return fit(sectionsOf(facts, options.focus ?? null), budget)
}

function sectionsOf(facts: Facts, focus: string | null): readonly Section[] {
  const words = new Set((focus ?? '').toLowerCase().match(/[\p{L}\p{N}_./-]{4,}/gu) ?? [])
  /** Later is worth more, and what the focus names most of all. */
  const rank = (items: readonly string[], prefix: string): readonly Line[] =>
    items.map((item, at) => {
      const lower = item.toLowerCase()
      const focused = [...words].some((word) => lower.includes(word))
      return { text: `${prefix}${item}`, worth: (at + 1) / items.length + (focused ? 2 : 0) }
    })
  const [first] = facts.requests
  const latest = facts.requests.at(-1)
  const goal = [
    ...(focus === null ? [] : [{ text: `Focus: ${quote(focus, 600)}`, worth: 9 }]),
    ...(first === undefined ? [] : [{ text: `First request: ${quote(first, 600)}`, worth: 9 }]),
    ...(latest === undefined || latest === first
      ? []
      : [{ text: `Latest request: ${quote(latest, 600)}`, worth: 9 }]),
  ]
  const steps = nextSteps(facts, latest).map((text, at) => ({
    text: `${at + 1}. ${text}`,
    worth: 8,
  }))
  return [
    { heading: '## Goal', lines: goal, empty: NONE, most: 3 },
    {
      heading: '## Constraints & Preferences',
      lines: rank(facts.constraints, '- '),
      empty: `- ${NONE}`,
      most: 40,
    },
    {
      heading: '## Progress\n### Done',
      lines: rank(facts.done, '- [x] '),
      empty: `- [x] ${NONE}`,
      most: 60,
    },
    {
      heading: '### In Progress',
      lines: rank(facts.inProgress, '- [ ] '),
      empty: `- [ ] ${NONE}`,
      most: 20,
    },
    {
      heading: '### Pending',
      lines: rank(facts.pending, '- [ ] '),
      empty: `- [ ] ${NONE}`,
      most: 30,
    },
    {
      heading: '## Key Decisions',
      lines: rank(facts.decisions, '- '),
      empty: `- ${NONE}`,
      most: 40,
    },
    {
      heading: '## Critical Context',
      lines: [...contextLines(facts.mentions), ...codeLines(facts.codeBlocks)],
      empty: `- ${NONE}`,
      most: 120,
    },
    { heading: '## Next Steps', lines: steps, empty: `1. ${NONE}`, most: 5 },
  ]
}

/** What was named often and lately, one list a kind. */
function contextLines(mentions: readonly Mention[]): readonly Line[] {
  const latest = Math.max(1, ...mentions.map(({ last }) => last))
  return mentions
    .map(({ kind, text, count, last }) => {
      const shown =
        kind === 'url' || kind === 'error' ? quote(text) : `\`${quote(text).replaceAll('`', "'")}\``
      const label = kind[0]?.toUpperCase() + kind.slice(1)
      const worth =
        last / latest + Math.min(1, Math.log2(count + 1) / 4) + (kind === 'error' ? 0.2 : 0)
      return { text: `- ${label}: ${shown}`, worth: kind === 'symbol' ? worth - 0.3 : worth }
    })
    .toSorted((a, b) => b.worth - a.worth)
}

/** The last two code blocks, inside fences that nothing in them can close. */
function codeLines(blocks: readonly string[]): readonly Line[] {
  return [...new Set(blocks.slice(-2))].map((block) => {
    const code = block.length > 1_200 ? `${block.slice(0, 1_200).toWellFormed()}\n…` : block
    return { text: `- Code:\n\n\`\`\`\n${code.replaceAll('```', "'''")}\n\`\`\``, worth: 1 }
  })
}

/** From the last exchange: what the answer left open, else what was asked. */
function nextSteps(facts: Facts, latest: string | undefined): readonly string[] {
  const open = facts.lastAnswer.filter((sentence) =>
    /\b(?:next|todo|then|will|should|need|remaining|still|want me|shall i)\b/i.test(sentence),
  )
  const steps = [
    ...new Set([...open.map((sentence) => quote(sentence)), ...facts.pending.slice(-3)]),
  ]
  if (steps.length > 0) return steps.slice(0, 5)
  const asked = latest === undefined ? undefined : toSentences(latest)[0]
  return asked === undefined ? [] : [quote(asked)]
}

/** Takes the worthiest lines that fit; inside a section the given order stays. Headings always fit. */
function fit(sections: readonly Section[], budget: number): string {
  let left =
    budget -
    sections.reduce((sum, { heading, empty }) => sum + heading.length + empty.length + 4, 0)
  const candidates = sections.flatMap(({ lines, most }, section) =>
    lines
      .map((line, at) => ({ ...line, at, section }))
      .toSorted((a, b) => b.worth - a.worth || b.at - a.at)
      .slice(0, most),
  )
  const taken = sections.map((): { at: number; text: string }[] => [])
  for (const line of candidates.toSorted((a, b) => b.worth - a.worth)) {
    if (line.text.length + 1 > left) continue
    left -= line.text.length + 1
    taken[line.section]?.push(line)
  }
  const blocks = sections.map(({ heading, empty }, section) => {
    const lines = (taken[section] ?? []).toSorted((a, b) => a.at - b.at).map(({ text }) => text)
    return `${heading}\n${lines.length === 0 ? empty : lines.join('\n')}`
  })
  return blocks.join('\n\n')
}

function sizeOf(messages: readonly Message[]): number {
  let size = 0
  for (const { content } of messages) {
    if (typeof content === 'string') size += content.length
    else {
      for (const block of content) {
        if (block.type === 'text') size += block.text.length
        else if (block.type === 'thinking') size += block.thinking.length
        else if (block.type === 'toolCall') size += JSON.stringify(block.arguments).length
      }
    }
  }
  return size
}
