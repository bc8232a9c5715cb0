import type { UserMessage } from '../entry.ts'

const PROMPT = `Write a handoff document for this conversation.

Someone who has never seen the conversation will read your document, and nothing else, and carry the work on from where it stands. Put in everything they need and leave out what they do not. Answer with the document only: no greeting, no comment before or after it, and no tool calls.

Be exact. Quote file paths, function and type names, commands, version numbers and error messages as they appeared. Keep what was really done apart from what was only planned. Do not invent anything; where something is unknown or unverified, say so.

Use exactly these headings, in this order:

## Goal
What the user wants in the end, and what they asked for last.

## Constraints & Preferences
Rules, limits and wishes that the user stated, each as a list item. Keep them even if they seem settled.

## Progress
### Done
- [x] What is finished, with the evidence that it works
### In Progress
- [ ] What was begun, and how far it got
### Pending
- [ ] What is still to be done

## Key Decisions
- **Decision**: why it was taken, and what was rejected

## Critical Context
Facts that would be hard to find again: where things are, how to run and check them, findings, failed attempts, open questions.

## Next Steps
1. What to do first
2. What follows, in order`

/** The trailing message that asks for the document (Q2, Q4); the focus stands in it verbatim (Q3). */
export function createHandoffPrompt(focus: string | null): UserMessage {
  const text = focus ? `${PROMPT}\n\nAdditional focus: ${focus}` : PROMPT
  return { role: 'user', content: [{ type: 'text', text }], attribution: 'agent' }
}
