import { createDocument as create } from 'zod-openapi'
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import * as z from 'zod'
import type { Operation } from './operation.ts'
import { idSchema, problemSchema } from './schemas.ts'

export type OpenApiDocument = ReturnType<typeof create>

const PROBLEM = {
  description: 'A problem (RFC 9457); `code` says which',
  content: { 'application/problem+json': { schema: problemSchema } },
}
const HEALTH = z.object({ ok: z.boolean(), version: z.string() })

/** The OpenAPI 3.1 document of these operations, from the schemas that validate. */
export function createDocument(operations: readonly Operation[], version: string): OpenApiDocument {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {
    '/healthz': {
      get: {
        operationId: 'getHealthz',
        tags: ['Service'],
        summary: 'Whether the service is up',
        security: [],
        responses: {
          200: { description: 'It is', content: { 'application/json': { schema: HEALTH } } },
        },
      },
    },
  }
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = toOperation(operation)
  }
  return create({
    openapi: '3.1.0',
    info: {
      title: 'Baton',
      version,
      description: 'Hands a long chat with a language model over to a fresh session.',
    },
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths: paths as ZodOpenApiPathsObject,
  })
}

function toOperation(operation: Operation): ZodOpenApiOperationObject {
  const { method, path, body, query, bodyType = 'application/json' } = operation
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const streamed = operation.bodyLimit === 'stream'
  return {
    operationId: operationId(method, path),
    tags: [operation.tag],
    summary: operation.summary,
    requestParams: {
      ...(names.length === 0
        ? {}
        : { path: z.object(Object.fromEntries(names.map((name) => [name, idSchema]))) }),
      ...(query === undefined ? {} : { query: query as z.ZodObject }),
      ...(method === 'POST' ? { header: requestHeaders(operation) } : {}),
    },
    ...(body === undefined && !streamed
      ? {}
      : {
          requestBody: {
            required: streamed || body?.safeParse({}).success === false,
            content: { [bodyType]: { schema: body ?? z.string() } },
          },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, answer]) => [status, toResponse(answer)]),
      ),
      default:
        operation.errors === undefined
          ? PROBLEM
          : {
              description: 'What was wrong',
              content: { [operation.errors.type]: { schema: operation.errors.schema } },
            },
    },
  }
}

function toResponse({
  description,
  schema,
  type,
  events,
}: Operation['answers'][number]): ZodOpenApiResponseObject {
  const content = {
    ...(schema === undefined && type === undefined
      ? {}
      : { [type ?? 'application/json']: { schema: schema ?? z.string() } }),
    ...(events === undefined
      ? {}
      : { 'text/event-stream': { schema: z.string().describe(events) } }),
  }
  return Object.keys(content).length === 0 ? { description } : { description, content }
}

/** Every POST creates something, so each can be retried with a key. */
function requestHeaders({ answers }: Operation): z.ZodObject {
  const key = z.string().min(1).max(255).optional()
  const prefer = z.string().optional().describe('`respond-async`: answer at once with 202')
  return z.object({
    'Idempotency-Key': key.describe('Printable ASCII; the same key and body get the same answer'),
    ...(answers[202] === undefined ? {} : { Prefer: prefer }),
  })
}

/** `POST /v1/sessions/{id}/handoff` → `postSessionsIdHandoff`. */
function operationId(method: string, path: string): string {
  const words = path
    .replace('/v1', '')
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}
