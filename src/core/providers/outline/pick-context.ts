import { excerpt } from './pick-lines.ts'
import type { Pile } from './rank.ts'
import { note } from './rank.ts'
import { errorOf, kindOf, subjectOf } from './read-step.ts'
import type { Step, Transcript } from './read-transcript.ts'

const URL = /https?:\/\/[^\s<>"'`)\]}|\\]{1,300}/g
const CODE_SPAN = /`([^`]{2,160})`/g
const BREAKS = /[\s`'"()<>[\]{},;|=]/
const PATH = /^(?:~|\.{1,2})?\/?[\p{L}\p{N}_@.+-]{1,100}(?:\/[\p{L}\p{N}_@.+-]{1,100}){1,15}\/?$/u
const FILE =
  /^[\w-]{1,80}(?:\.[\w-]{1,40}){0,4}\.(?:[cm]?[jt]sx?|jsonc?|toml|ya?ml|md|sql|py|rs|go|java|c|h|cpp|cs|rb|sh|css|html|txt|lock|env|xml|proto|swift|kt|svelte|vue)$/
const SYMBOL = /^[A-Za-z_$][\w$]{0,80}(?:[.#][A-Za-z_$][\w$]{0,80}){0,4}(?:\(\))?$/
const COMMAND =
  /^(?:\$ )?(?:npm|npx|pnpm|yarn|bun|deno|node|git|docker|make|cargo|go|python3?|pip|uv|pytest|curl|kubectl|wrangler|psql|sqlite3|terraform|bash|sh|cd) \S|^\.\/\S{1,80} \S/
const MOST_TOKEN = 240

/** Names, places, commands, addresses and errors that the next reader will need; the most repeated and recent weigh most. */
export function pickContext(transcript: Transcript): Pile {
  const pile: Pile = new Map()
  for (const { section, text, at } of transcript.carried) {
    if (section === 'context') note(pile, { text, at, weight: 4 }, carriedKey(text))
  }
  for (const { at, by, line } of transcript.said) {
    if (line.includes('://')) readUrls(pile, line, at)
    if (line.includes('`')) readSpans(pile, line, at)
    if (line.includes('/') || line.includes('.')) readPaths(pile, line, at, by === 'user' ? 1 : 0)
  }
  for (const step of transcript.steps) readStep(pile, step)
  return pile
}

function readStep(pile: Pile, step: Step): void {
  const { at } = step
  const error = errorOf(step)
  if (error !== null) note(pile, { label: 'Error', text: error, at, weight: step.ok ? 2 : 3.5 })
  const subject = subjectOf(step)
  if (subject === '') return
  const kind = kindOf(step)
  if (kind === 'run') add(pile, 'Command', subject, at, 2.5)
  readUrls(pile, subject, at)
  readPaths(pile, subject, at, kind === 'change' ? 1 : 0)
}

function readUrls(pile: Pile, line: string, at: number): void {
  for (const match of line.matchAll(URL)) add(pile, 'URL', trimEnd(match[0]), at, 3)
}

function readSpans(pile: Pile, line: string, at: number): void {
  for (const match of line.matchAll(CODE_SPAN)) {
    const span = (match[1] ?? '').trim()
    if (COMMAND.test(span)) add(pile, 'Command', span, at, 3)
    else if (SYMBOL.test(span) && !FILE.test(span)) add(pile, 'Symbol', span, at, 2)
  }
}

function readPaths(pile: Pile, line: string, at: number, bonus: number): void {
  for (const word of line.split(BREAKS)) {
    if (word.length < 4 || word.length > MOST_TOKEN || word.includes('://')) continue
    const token = trimEnd(word).replace(/(?::\d{1,6}){1,2}$/, '')
    if (isPath(token)) add(pile, 'File', token, at, 2 + bonus)
  }
}

/** "and/or" and "1/2" are not places; a place has a dot, a root or more than one slash. */
function isPath(token: string): boolean {
  if (!token.includes('/')) return token.includes('.') && FILE.test(token)
  if (!/\p{L}/u.test(token) || !PATH.test(token)) return false
  return token.includes('.') || token.startsWith('~') || token.split('/').length > 2
}

function add(pile: Pile, label: string, token: string, at: number, weight: number): void {
  const text = excerpt(token)
  // an excerpt that had to leave something out is no name any more
  if (text.length > 2 && (text === token || label === 'Command')) {
    note(pile, { label, text, at, weight }, `${label}: ${text}`)
  }
}

/** The key under which the same name is found in this transcript. */
function carriedKey(text: string): string {
  return text.replaceAll('`', '')
}

function trimEnd(token: string): string {
  return token.replace(/[.,:;!?*_]{1,8}$/, '')
}
