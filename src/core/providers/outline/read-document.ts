import { excerpt, readText } from './pick-lines.ts'

/** The parts of a handoff document that a later one can take lines over from. */
export type Section =
  | 'goal'
  | 'constraints'
  | 'done'
  | 'doing'
  | 'pending'
  | 'decisions'
  | 'context'
  | 'next'

/** A line of an earlier document: its text without list markup, and the heading it stood under. */
export interface CarriedLine {
  readonly section: Section
  readonly text: string
}

const FRAMES = ['handoff-context', 'compaction-summary', 'branch-summary']
const STOCK = 'The above is a handoff document'
const HEADING = /^\s{0,3}#{1,6}\s{1,8}(.{1,200})$/
const MOST_LINES = 600

/** More specific headings first: "Pending Decisions" is not expected, "In Progress" under "Progress" is. */
const SECTIONS: readonly (readonly [RegExp, Section | null])[] = [
  [/\bgoal|\bobjective/i, 'goal'],
  [/constraint|preference/i, 'constraints'],
  [/in progress/i, 'doing'],
  [/\bpending|\bblocked|remaining/i, 'pending'],
  [/\bdone\b|completed/i, 'done'],
  [/decision/i, 'decisions'],
  [/next steps?/i, 'next'],
  [/progress/i, null],
]

/** What a user message holds besides an earlier document; null when it holds no such document. */
export interface FramedMessage {
  readonly lines: readonly CarriedLine[]
  /** what was said behind the frame, without Baton's own closing sentence */
  readonly rest: string
}

/** Takes an earlier handoff document (or summary) out of the message that carries it. */
export function readDocument(text: string): FramedMessage | null {
  for (const name of FRAMES) {
    const open = text.indexOf(`<${name}>`)
    if (open < 0) continue
    const start = open + name.length + 2
    const close = text.indexOf(`</${name}>`, start)
    const body = text.slice(start, close < 0 ? text.length : close)
    const rest = close < 0 ? '' : text.slice(close + name.length + 3).trim()
    return { lines: readSections(body), rest: rest.startsWith(STOCK) ? '' : rest }
  }
  return null
}

function readSections(body: string): readonly CarriedLine[] {
  const lines: CarriedLine[] = []
  let section: Section | null = 'context'
  for (const line of readText(body).prose) {
    const heading = HEADING.exec(line)?.[1]
    if (heading !== undefined) {
      const known = SECTIONS.find(([pattern]) => pattern.test(heading))
      section = known === undefined ? 'context' : known[1]
      continue
    }
    const text = excerpt(line)
    // a label whose code block was left out says nothing
    if (section === null || text === '' || text === 'None recorded' || text === 'Code:') continue
    lines.push({ section: sectionOfBox(line, section), text })
    if (lines.length >= MOST_LINES) break
  }
  return lines
}

/** A box says more about a line than the heading it happens to stand under. */
function sectionOfBox(line: string, section: Section): Section {
  const mark = /^\s{0,12}[-*+]\s{1,4}\[([ xX])\]\s/.exec(line)?.[1]
  if (mark === undefined) return section
  if (mark !== ' ') return 'done'
  return section === 'doing' ? section : 'pending'
}
