import * as z from 'zod'

/** The messages of the contract, provider-neutral. */

/** Blocks of one message. */
const MAX_BLOCKS = 10_000

const textBlock = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  signature: z.string().optional(),
})
const imageBlock = z.strictObject({
  type: z.literal('image'),
  data: z.string(),
  mimeType: z.string(),
})
const thinkingBlock = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().optional(),
  redacted: z.boolean().optional(),
})
const toolCallBlock = z.strictObject({
  type: z.literal('toolCall'),
  id: z.string().min(1).max(256),
  name: z.string().min(1).max(256),
  arguments: z.record(z.string(), z.unknown()),
  signature: z.string().optional(),
})
const inputBlock = z.discriminatedUnion('type', [textBlock, imageBlock])
const block = z.discriminatedUnion('type', [textBlock, imageBlock, thinkingBlock, toolCallBlock])
const attribution = z.enum(['user', 'agent'])
const timestamp = z.number()
const count = z.int().nonnegative()

export const userMessage = z.strictObject({
  role: z.literal('user'),
  content: z.union([z.string(), z.array(inputBlock).max(MAX_BLOCKS)]),
  attribution: attribution.optional(),
  timestamp: timestamp.optional(),
})
const developerMessage = userMessage.extend({ role: z.literal('developer') })
const assistantMessage = z.strictObject({
  role: z.literal('assistant'),
  content: z.array(block).max(MAX_BLOCKS),
  provider: z.string().optional(),
  model: z.string().optional(),
  api: z.string().optional(),
  stopReason: z.enum(['stop', 'length', 'toolUse', 'error', 'aborted']).optional(),
  usage: z
    .looseObject({
      input: count.nullable().optional(),
      output: count.nullable().optional(),
      cacheRead: count.nullable().optional(),
      cacheWrite: count.nullable().optional(),
    })
    .optional(),
  errorMessage: z.string().optional(),
  timestamp: timestamp.optional(),
})
export const toolResultMessage = z.strictObject({
  role: z.literal('toolResult'),
  toolCallId: z.string().min(1).max(256),
  toolName: z.string().min(1).max(256),
  content: z.array(inputBlock).max(MAX_BLOCKS),
  isError: z.boolean().default(false),
  timestamp: timestamp.optional(),
})

/** A message as it is sent: unknown fields are refused. */
export const givenMessage = z
  .discriminatedUnion('role', [userMessage, assistantMessage, toolResultMessage, developerMessage])
  .meta({ id: 'GivenMessage' })

/** A message as it is answered: one that came with a session file keeps every field it had there. */
export const messageSchema = z
  .looseObject({
    role: z.enum(['user', 'assistant', 'toolResult', 'developer']),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
  })
  .meta({ id: 'Message' })
