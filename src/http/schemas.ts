import * as z from 'zod'
import { THINKING_LEVELS } from '../core/entry.ts'
import { ID_PATTERN } from '../core/id.ts'
import { list } from './list.ts'
import { givenMessage, toolResultMessage, userMessage } from './message-schemas.ts'

/** The request bodies and objects of the contract: the same schemas validate and describe. */

export const idSchema = z.string().regex(ID_PATTERN, 'Expected 8 to 64 of A-Z a-z 0-9 _ -')
/** Messages of one request. */
const MAX_MESSAGES = 10_000

const toolSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()),
})

const model = z
  .string()
  .max(200)
  .regex(/^[^/\s]+\/\S+$/, 'Expected provider/id')
const thinkingLevel = z.enum(THINKING_LEVELS)
const title = z.string().max(500)
const systemPrompt = z.union([z.string(), z.array(z.string()).max(1000)])
const tools = z
  .array(toolSchema)
  .max(512)
  .refine((list) => new Set(list.map((tool) => tool.name)).size === list.length, {
    message: 'Tool names must be unique',
  })
const settings = z.record(z.string(), z.unknown())

export const createBody = z.strictObject({
  id: idSchema.optional(),
  title: title.nullable().optional(),
  model: model.nullable().optional(),
  systemPrompt: systemPrompt.optional(),
  tools: tools.optional(),
  thinkingLevel: thinkingLevel.nullable().optional(),
  settings: settings.optional(),
  messages: list(givenMessage, MAX_MESSAGES).optional(),
  parentSession: z.string().nullable().optional(),
})
export const patchBody = z.strictObject({
  title: title.nullable().optional(),
  model: model.nullable().optional(),
  thinkingLevel: thinkingLevel.nullable().optional(),
  systemPrompt: systemPrompt.optional(),
  tools: tools.optional(),
  settings: settings.optional(),
  mode: z.string().min(1).max(64).optional(),
})
export const appendBody = z.strictObject({ messages: list(givenMessage, MAX_MESSAGES, 1) })
export const handoffBody = z.strictObject({
  focus: z.string().max(8000).optional(),
  model: model.optional(),
  thinkingLevel: thinkingLevel.optional(),
  auto: z.boolean().optional(),
})
export const cancelBody = z.strictObject({ reason: z.string().max(8000).optional() })
/** A turn without a word would be refused by the provider, and the message kept for good. */
const spokenMessage = userMessage.refine(({ content }) => content.length > 0, {
  path: ['content'],
  message: 'Must not be empty',
})
export const turnBody = z.strictObject({
  message: z.union([z.string().min(1), spokenMessage, list(toolResultMessage, MAX_MESSAGES, 1)]),
  whenBusy: z.enum(['queue', 'reject', 'steer']).optional(),
})

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'Expected a whole number')
  .transform(Number)
const limit = (most: number, usual: number) =>
  wholeNumber
    .pipe(z.int().min(1).max(most))
    .default(usual)
    .meta({
      override: { type: 'integer', minimum: 1, maximum: most, default: usual, pattern: undefined },
    })
export const listQuery = z.strictObject({
  limit: limit(100, 20),
  cursor: z.string().max(200).optional(),
  parent: idSchema.optional(),
})
export const eventsQuery = z.strictObject({
  after: wholeNumber
    .default(0)
    .meta({ override: { type: 'integer', minimum: 0, default: 0, pattern: undefined } }),
})
export const entriesQuery = z.strictObject({
  after: wholeNumber
    .default(0)
    .meta({ override: { type: 'integer', minimum: 0, default: 0, pattern: undefined } }),
  limit: limit(1000, 100),
})

export const sessionSchema = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    parentSession: z.string().nullable(),
    handedOffTo: z.string().nullable(),
    model: z.string().nullable(),
    thinkingLevel: thinkingLevel.nullable(),
    systemPrompt: z.array(z.string()),
    tools: z.array(toolSchema),
    mode: z.string(),
    status: z.enum(['idle', 'running', 'handing_off']),
    messageCount: z.int(),
    contextTokens: z.int().nullable(),
    usage: z.object({ input: z.int(), output: z.int(), cacheRead: z.int(), cacheWrite: z.int() }),
    settings,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Session' })

/** US dollars. */
const cost = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  total: z.number(),
})

export const handoffSchema = z
  .object({
    id: z.string(),
    session: z.string(),
    status: z.enum(['generating', 'committing', 'completed', 'cancelled', 'failed']),
    trigger: z.enum(['manual', 'threshold', 'incomplete', 'idle']),
    focus: z.string().nullable(),
    model: z.string(),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    document: z.string().nullable(),
    newSession: sessionSchema.nullable(),
    savedPath: z.string().nullable(),
    attempts: z.int(),
    receivedChars: z.int(),
    usage: z
      .object({
        input: z.int().nullable(),
        output: z.int().nullable(),
        cacheRead: z.int().nullable(),
        cacheWrite: z.int().nullable(),
        reasoning: z.int().nullable(),
        cost: cost.nullable(),
      })
      .nullable(),
    warnings: z.array(z.object({ code: z.string(), detail: z.string() })),
    error: z.object({ code: z.string(), detail: z.string() }).nullable(),
  })
  .meta({ id: 'Handoff' })

export const entrySchema = z
  .looseObject({
    id: z.string(),
    parentId: z.string().nullable(),
    seq: z.int(),
    type: z.string(),
    timestamp: z.string(),
  })
  .meta({ id: 'Entry' })

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string().optional(),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    providerStatus: z.int().optional(),
  })
  .meta({ id: 'Problem' })
