import { excerpt, slice, splitSentences } from './pick-lines.ts'
import type { Fact, Pile } from './rank.ts'
import { note, toKey } from './rank.ts'
import { errorOf, kindOf, outcomeOf, reportsFailure, subjectOf } from './read-step.ts'
import type { WorkState } from './read-todos.ts'
import { isTodoTool, readTodos } from './read-todos.ts'
import type { Said, Step, Transcript } from './read-transcript.ts'

/** Work by how far it is. */
export type Progress = Readonly<Record<WorkState, Pile>>

const STATES = ['done', 'doing', 'pending'] as const
const CHECKBOX = /^\s{0,40}(?:(?:[-*+]|\d{1,3}[.)])\s{1,4})?\[([ xX~/-])\]\s{1,8}(?=\S)/
/** Next steps that are no work: the earlier session's words to its user, and the user's to it. */
const QUESTION = /^(?:Open question|Asked): /
const TODO = /\b(?:TODO|FIXME)\b/
const REPORT =
  /\b(?:done|fixed|added|implemented|created|updated|removed|renamed|moved|wrote|written|finished|completed?|works|pass(?:es|ed|ing)|green|resolved|merged|committed|refactored|replaced|migrated|deployed|verified|installed)\b|完了|完成|修正しました|追加しました|已经?(?:修复|添加|实现|更新|删除)|완료/i
const NOT_YET =
  /\b(?:not|n['’]t|never|will|shall|todo|going to|next|should|need|must|let me|if|before|until|once|when|yet|fail(?:s|ed|ing)?|would|could|can|plan)\b|还没|まだ|未完了|未完成|아직/i
const DOING =
  /\b(?:working on|in progress|currently|half[- ]?done|halfway|partly|partially|not yet|wip|started)\b|正在|进行中|作業中|進行中|진행/i
const WEIGHTS = { read: 0, run: 2, change: 2.5 } as const

/** Follows the work through the transcript; what was said last about a piece of work is its state. */
export function pickProgress(transcript: Transcript): Progress {
  const progress = { done: new Map(), doing: new Map(), pending: new Map() }
  const ids = new Map<string, string>()
  const lastAsk = transcript.asks.at(-1)?.at ?? 0
  for (const { section, text, at } of transcript.carried) {
    if (section === 'done') move(progress, 'done', { text, at, weight: 1 })
    if (section === 'doing') move(progress, 'pending', { text, at, weight: 4 })
    if (section === 'pending') move(progress, 'pending', { text, at, weight: 4 })
    if (section === 'next' && !QUESTION.test(text) && !has(progress, text)) {
      move(progress, 'pending', { text, at, weight: 2 })
    }
  }
  for (const event of inOrder(transcript)) {
    if ('line' in event) readLine(progress, event, lastAsk)
    else if (isTodoTool(event.name)) readList(progress, event, ids)
    else readStep(progress, event, lastAsk)
  }
  return progress
}

function readLine(progress: Progress, { at, by, line }: Said, lastAsk: number): void {
  const box = CHECKBOX.exec(line)
  if (box !== null) {
    const mark = box[1] ?? ' '
    const state = mark === ' ' ? 'pending' : mark.toLowerCase() === 'x' ? 'done' : 'doing'
    move(progress, state, { text: excerpt(line), at, weight: 4 })
    return
  }
  if (TODO.test(line)) move(progress, 'pending', { text: excerpt(line), at, weight: 3 })
  if (by !== 'assistant') return
  for (const sentence of splitSentences(line)) {
    // what was decided is no work, however it is worded
    if (sentence.startsWith('Decision')) continue
    if (REPORT.test(sentence) && !NOT_YET.test(sentence)) {
      move(progress, 'done', { text: excerpt(sentence), at, weight: 3 })
    } else if (at > lastAsk && DOING.test(sentence)) {
      move(progress, 'doing', { text: excerpt(sentence), at, weight: 3 })
    }
  }
}

function readList(progress: Progress, step: Step, ids: Map<string, string>): void {
  if (step.ok === false) return
  for (const { text, state } of readTodos(step.args, ids)) {
    const line = excerpt(text)
    if (state === null) drop(progress, toKey(line))
    else move(progress, state, { text: line, at: step.at, weight: 4 })
  }
}

/** A failed call is open until the same call succeeds: at work if it belongs to the last exchange, else left behind. */
function readStep(progress: Progress, step: Step, lastAsk: number): void {
  const subject = subjectOf(step)
  if (subject === '') return
  const kind = kindOf(step)
  const outcome = step.ok === false ? errorOf(step) : outcomeOf(step)
  const fact: Fact = {
    label: slice(excerpt(step.name), 0, 60) || 'call',
    text: subject,
    ...(outcome === null ? {} : { outcome }),
    at: step.at,
    weight: WEIGHTS[kind] + (step.ok === true ? 0 : 1),
  }
  const key = toKey(`${step.name} ${subject}`)
  const isRed = step.ok === true && outcome !== null && reportsFailure(outcome)
  const isOpen = step.ok !== true || isRed
  if (isOpen && step.at <= lastAsk && (isRed || kind === 'read')) {
    // an old red run or a file that was not there says nothing about what is left to do, but it is not done either
    drop(progress, key)
    return
  }
  move(progress, isOpen ? (step.at > lastAsk ? 'doing' : 'pending') : 'done', fact, key)
}

function move(progress: Progress, state: WorkState, fact: Fact, key = toKey(fact.text)): void {
  if (fact.text === '') return
  for (const other of STATES) if (other !== state) progress[other].delete(key)
  const known = progress[state].get(key)
  note(progress[state], fact, key)
  // the last outcome of a repeated command is the one that holds
  const latest = progress[state].get(key)
  if (known !== undefined && latest !== undefined && fact.outcome !== undefined) {
    latest.fact = { ...latest.fact, outcome: fact.outcome }
  }
}

function drop(progress: Progress, key: string): void {
  for (const state of STATES) progress[state].delete(key)
}

function has(progress: Progress, text: string): boolean {
  return STATES.some((state) => progress[state].has(toKey(text)))
}

function inOrder({ said, steps }: Transcript): readonly (Said | Step)[] {
  const events: (Said | Step)[] = []
  let next = 0
  for (const line of said) {
    for (let step = steps[next]; step !== undefined && step.at < line.at; step = steps[next]) {
      events.push(step)
      next++
    }
    events.push(line)
  }
  for (const step of steps.slice(next)) events.push(step)
  return events
}
