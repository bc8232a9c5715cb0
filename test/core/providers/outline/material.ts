import type { AssistantMessage, Message, ToolResultMessage } from '../../../../src/core/entry.ts'

export const HEADINGS = [
  '## Goal',
  '## Constraints & Preferences',
  '## Progress',
  '### Done',
  '### In Progress',
  '### Pending',
  '## Key Decisions',
  '## Critical Context',
  '## Next Steps',
]

export function user(content: string, attribution: 'user' | 'agent' = 'user'): Message {
  return { role: 'user', content, attribution }
}
export function assistant(text: string): AssistantMessage {
  return { role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop' }
}
export function call(id: string, name: string, args: Record<string, unknown>): AssistantMessage {
  return {
    role: 'assistant',
    content: [{ type: 'toolCall', id, name, arguments: args }],
    stopReason: 'toolUse',
  }
}
export function result(toolCallId: string, text: string, isError = false): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId,
    toolName: 'any',
    content: [{ type: 'text', text }],
    isError,
  }
}

export const TALK: readonly Message[] = [
  user(
    'Add rate limits to the shop API. Never touch packages/billing. I prefer small commits.\nSee https://shop.example/wiki#limits.',
  ),
  assistant('We go with a token bucket because it allows bursts.\n\n- [ ] Runbook\n- [ ] Limiter'),
  call('1', 'edit', { path: 'src/limits/bucket.ts', edits: 'x' }),
  result('1', 'ok'),
  call('2', 'bash', { command: 'pnpm test' }),
  result('2', 'run\nTypeError: clock is not a function\n  at bucket.ts:3', true),
  call('3', 'todo_write', {
    todos: [
      { id: 'a', content: 'Measure the limiter', status: 'in_progress' },
      { id: 'b', content: 'Load test', status: 'pending' },
    ],
  }),
  result('3', 'ok'),
  assistant('- [x] Limiter\n\nI added the middleware.\n\n```ts\n## no heading\nconst a = 1\n```'),
  user('必须保留旧的接口。 Now fix `takeToken()` as well.'),
  call('4', 'bash', { command: 'pnpm lint' }),
  result('4', 'Error: unused import', true),
  assistant('Next I will remove the unused import. Shall I also bump the version?'),
]

export function headingsOf(document: string): readonly string[] {
  return [...document.matchAll(/^[ \t]*#{1,6} .*$/gm)].map(([line]) => line)
}

/** The items of a document under a heading. */
export function section(document: string, heading: string): readonly string[] {
  const lines = document.split('\n')
  const start = lines.indexOf(heading)
  const end = lines.findIndex((line, at) => at > start && line.startsWith('#'))
  return lines.slice(start + 1, end < 0 ? undefined : end).filter((line) => line !== '')
}
