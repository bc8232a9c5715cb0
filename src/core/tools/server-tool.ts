import * as z from 'zod'
import type { InputBlock, Tool } from '../entry.ts'

/** What a tool is told of the call that it answers. */
export interface ToolCall {
  readonly id: string
  readonly tenant: string
  readonly session: string
  /** aborts when the turn is aborted or the tool's time is over */
  readonly signal: AbortSignal
}

/** A tool that runs inside the turn, as an embedding program registers it under its name. */
export interface ToolDefinition<T extends z.ZodType = z.ZodType> {
  readonly description?: string
  /** of an object; what the model sends is validated against it */
  readonly parameters: T
  /** Text, blocks, or any JSON value. What it throws is told to the model. */
  execute(input: z.output<T>, call: ToolCall): unknown
  /** milliseconds; a minute unless given */
  readonly timeoutMs?: number
  /** characters of text that reach the model; 50,000 unless given */
  readonly maxOutput?: number
}

export type ToolDefinitions = Readonly<Record<string, ToolDefinition>>

/** A registered tool, ready to be offered and run. */
export interface ServerTool {
  readonly tool: Tool
  readonly timeoutMs: number
  readonly maxOutput: number
  run(args: unknown, call: ToolCall): Promise<ToolOutput>
}

export type ToolOutput =
  | { readonly ok: true; readonly content: readonly InputBlock[] }
  | { readonly ok: false; readonly why: string }

/** Keeps the types of a definition's input. */
export function defineTool<T extends z.ZodType>(definition: ToolDefinition<T>): ToolDefinition {
  return definition as unknown as ToolDefinition
}

/** Registered tools by name. Throws for a name or for parameters that no provider would take. */
export function createServerTools(
  definitions: ToolDefinitions = {},
): ReadonlyMap<string, ServerTool> {
  return new Map(
    Object.entries(definitions).map(([name, definition]) => [name, toServerTool(name, definition)]),
  )
}

function toServerTool(name: string, definition: ToolDefinition): ServerTool {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new Error(`"${name}" cannot be a tool's name`)
  const { description, parameters, timeoutMs = 60_000, maxOutput = 50_000 } = definition
  const schema = z.toJSONSchema(parameters, { io: 'input' }) as Record<string, unknown>
  if (schema['type'] !== 'object') throw new Error(`The parameters of "${name}" must be an object`)
  const { $schema: _, ...shape } = schema
  return {
    tool: { name, ...(description === undefined ? {} : { description }), parameters: shape },
    timeoutMs,
    maxOutput,
    async run(args, call) {
      const parsed = parameters.safeParse(args)
      if (!parsed.success)
        return { ok: false, why: `Invalid arguments: ${z.prettifyError(parsed.error)}` }
      return { ok: true, content: toBlocks(await definition.execute(parsed.data, call)) }
    },
  }
}

function toBlocks(output: unknown): readonly InputBlock[] {
  if (Array.isArray(output) && output.length > 0 && output.every(isBlock)) return output
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
  return [{ type: 'text', text }]
}

function isBlock(value: unknown): value is InputBlock {
  const { type, text, data, mimeType } = (value ?? {}) as Record<string, unknown>
  return type === 'text'
    ? typeof text === 'string'
    : type === 'image' && typeof data === 'string' && typeof mimeType === 'string'
}
