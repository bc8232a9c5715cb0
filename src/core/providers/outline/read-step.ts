import { excerpt, slice, splitLines } from './pick-lines.ts'
import type { Step } from './read-transcript.ts'

/** The argument that says what a call is about, most telling first. */
const SUBJECTS = [
  'command',
  'cmd',
  'path',
  'file_path',
  'filePath',
  'filename',
  'file',
  'url',
  'pattern',
  'query',
  'name',
  'description',
  'prompt',
  'task',
  'code',
  'input',
]
const READS =
  /^(?:read|grep|rg|ls|list|find|glob|search|view|cat|fetch|open|get|web|lsp|head|tail)/i
const RUNS = /bash|shell|exec|run|command|terminal|python|test/i
const ERROR_LINE =
  /\b(?:[A-Za-z]{0,60}(?:Error|Exception)|error|failed|failure|fail|fatal|panic|cannot|not found|no such|denied|refused|timed? ?out|E[A-Z]{4,20}|expected)\b|错误|失败|失敗|エラー|오류/i
const FAILURES = /\b[1-9]\d{0,6} (?:tests? )?(?:failed|failing|failures?|errors?)\b/i
/** Output of a call that went well often speaks about errors; only a line that begins as one is one. */
const ERROR_START = /^\s{0,8}(?:[A-Za-z]{0,60}(?:Error|Exception)\b|(?:error|fatal|panic|FAIL)\b)/

/** What kind of work a tool does, by its name. */
export function kindOf(step: Step): 'read' | 'run' | 'change' {
  if (READS.test(step.name)) return 'read'
  return RUNS.test(step.name) ? 'run' : 'change'
}

/** What a call was about, as an excerpt of one argument; `''` when no argument is text. */
export function subjectOf(step: Step): string {
  for (const name of SUBJECTS) {
    const subject = firstLine(step.args[name])
    if (subject !== '') return subject
  }
  for (const value of Object.values(step.args)) {
    const subject = firstLine(value)
    if (subject !== '') return subject
  }
  return ''
}

/** The line of a result that tells what went wrong; null when nothing did. */
export function errorOf(step: Step): string | null {
  if (step.ok === null) return null
  const pattern = step.ok ? ERROR_START : ERROR_LINE
  // file contents are full of error messages nobody met
  if (step.ok && kindOf(step) === 'read') return null
  const line = step.result.find((it) => pattern.test(it)) ?? (step.ok ? '' : step.result[0])
  const text = excerpt(line ?? '')
  return text === '' ? null : text
}

/** True for a command that ended well by its exit code but says itself that something failed. */
export function reportsFailure(outcome: string): boolean {
  return FAILURES.test(outcome)
}

/** The last line a command printed; null for other calls and silent commands. */
export function outcomeOf(step: Step): string | null {
  if (kindOf(step) !== 'run') return null
  const text = excerpt(step.result.at(-1) ?? '')
  return text === '' ? null : text
}

function firstLine(value: unknown): string {
  if (typeof value !== 'string') return ''
  for (const line of splitLines(slice(value, 0, 8_000))) {
    const text = excerpt(line)
    if (text !== '') return text
  }
  return ''
}
