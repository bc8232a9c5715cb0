/** What a person can type instead of a message. */
export interface Command {
  readonly name: string
  readonly description: string
  /** how to go on after the name */
  readonly hint: string
}

/** Every command there is, in the order in which they are offered. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'handoff',
    description: 'Hand off session context to a new session',
    hint: '[focus instructions]',
  },
]

export interface TypedCommand {
  readonly name: string
  /** what follows the name, without the space around it; null when nothing does */
  readonly argument: string | null
}

/** The command that a text is; null for anything else, a path such as `/etc/hosts` included. */
export function parseCommand(text: string): TypedCommand | null {
  const [, name, argument = ''] = /^\s*\/([a-z][a-z-]*)(?:\s+([\s\S]*))?$/.exec(text) ?? []
  const known = COMMANDS.find((command) => command.name === name)
  return known === undefined
    ? null
    : { name: known.name, argument: argument.trim() === '' ? null : argument.trim() }
}
