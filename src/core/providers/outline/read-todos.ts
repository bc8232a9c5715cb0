/** How far a piece of work is. */
export type WorkState = 'done' | 'doing' | 'pending'

/** An item of a todo tool's arguments. `state` null means it was given up. */
export interface Todo {
  readonly text: string
  readonly state: WorkState | null
}

const TEXT_FIELDS = ['content', 'text', 'title', 'task', 'step', 'name', 'description', 'subject']
const STATE_FIELDS = ['status', 'state']
const MOST_DEPTH = 6
const MOST_ITEMS = 500

/** True for tools that keep a list of work, by the names coding agents give them. */
export function isTodoTool(name: string): boolean {
  return /todo|task_?(?:list|create|update|write)|update_?plan/i.test(name)
}

/**
 * The items in a todo tool's arguments, wherever they are nested. `texts` remembers what an item with an id said,
 * so that a later call that names only the id can be understood.
 */
export function readTodos(
  args: Readonly<Record<string, unknown>>,
  texts: Map<string, string>,
): readonly Todo[] {
  const todos: Todo[] = []
  visit(args, 0)
  return todos

  function visit(value: unknown, depth: number): void {
    if (depth > MOST_DEPTH || todos.length >= MOST_ITEMS) return
    if (Array.isArray(value)) {
      for (const item of value) {
        if (typeof item === 'string') add(item, 'pending')
        else visit(item, depth + 1)
      }
      return
    }
    if (typeof value !== 'object' || value === null) return
    const fields = value as Readonly<Record<string, unknown>>
    const lists = Object.values(fields).filter((inner) => typeof inner === 'object')
    // what holds a list is a group: its name is not work to do
    if (!lists.some((inner) => Array.isArray(inner))) readItem(fields, depth)
    for (const inner of lists) visit(inner, depth + 1)
  }

  function readItem(fields: Readonly<Record<string, unknown>>, depth: number): void {
    const id = fields['id'] ?? fields['taskId']
    const key = typeof id === 'string' || typeof id === 'number' ? String(id) : null
    const field = TEXT_FIELDS.find((name) => typeof fields[name] === 'string')
    const said = field === undefined ? undefined : String(fields[field])
    if (key !== null && said !== undefined) texts.set(key, said)
    const text = said ?? (key === null ? undefined : texts.get(key))
    const stated = STATE_FIELDS.map((name) => fields[name]).find((it) => typeof it === 'string')
    const done = fields['done'] === true || fields['completed'] === true
    // the arguments themselves are an item only when they say how far it is
    if (text === undefined || (depth === 0 && stated === undefined && !done && key === null)) return
    add(text, done ? 'done' : readState(stated))
  }

  function add(text: string, state: WorkState | null): void {
    if (text.trim() !== '' && todos.length < MOST_ITEMS) todos.push({ text, state })
  }
}

function readState(stated: unknown): WorkState | null {
  const state = typeof stated === 'string' ? stated.slice(0, 40) : ''
  if (/abandon|cancel|delete|drop|skip/i.test(state)) return null
  if (/done|complete|finish|closed/i.test(state)) return 'done'
  return /progress|doing|active|started/i.test(state) ? 'doing' : 'pending'
}
