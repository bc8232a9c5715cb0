import * as z from 'zod'
import { idSchema } from './schemas.ts'

/** The bodies of AI SDK clients, versions 5 to 7. What they send beyond this is left to them. */

/** Parts of one message. */
const MAX_PARTS = 10_000
const MAX_MESSAGES = 10_000

export const uiMessageSchema = z
  .looseObject({
    id: z.string().max(256),
    role: z.enum(['user', 'assistant', 'system']),
    parts: z.array(z.looseObject({ type: z.string() })).max(MAX_PARTS),
  })
  .meta({ id: 'UIMessage' })

export const chatBody = z.looseObject({
  /** the chat is the session; one that is not there yet is made */
  id: idSchema,
  messages: z.array(uiMessageSchema).min(1).max(MAX_MESSAGES).optional(),
  /** instead of `messages`: the newest one only */
  message: uiMessageSchema.optional(),
  trigger: z.string().optional(),
  messageId: z.string().optional(),
  whenBusy: z.enum(['queue', 'reject', 'steer']).optional(),
  /** of a session that is made: `provider/id` */
  model: z.string().optional(),
  /** the same: its system prompt */
  system: z.string().optional(),
})

export const stopBody = z.looseObject({
  /** the turn to stop, as the metadata of its message names it */
  activeStreamId: z.string().nullish(),
})
