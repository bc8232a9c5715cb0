import * as z from 'zod'
import { EFFORTS } from '../core/providers/types.ts'
import type { Call, Operation } from './operation.ts'
import { json } from './operation.ts'

const modelSchema = z
  .object({
    id: z.string().meta({ description: 'provider/id, as sessions and handoffs take it' }),
    object: z.literal('model'),
    created: z.int(),
    owned_by: z.string(),
    context_window: z.int().nullable(),
    max_output_tokens: z.int().nullable(),
    efforts: z.array(z.enum(EFFORTS)),
    input: z.array(z.enum(['text', 'image'])),
  })
  .meta({ id: 'Model' })

export const MODEL_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/models',
    tag: 'Around it',
    summary: 'List the models that can be asked now',
    answers: {
      200: {
        description: 'In the shape of OpenAI’s list; a model that is not listed may work too',
        schema: z.object({ object: z.literal('list'), data: z.array(modelSchema) }),
      },
    },
    handle: listAll,
  },
]

async function listAll({ ports }: Call): Promise<Response> {
  const data = ports.models().map((model) => ({
    id: `${model.provider}/${model.id}`,
    object: 'model' as const,
    // Nobody tells when a model was made; the shape wants a number.
    created: 0,
    owned_by: model.provider,
    context_window: model.contextWindow,
    max_output_tokens: model.outputLimit,
    efforts: model.efforts,
    input: model.input,
  }))
  return json({ object: 'list', data })
}
