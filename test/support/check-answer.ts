import assert from 'node:assert/strict'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** Holds every answer of a server against the OpenAPI document that the same server gives out. */

interface Described {
  readonly method: string
  readonly path: RegExp
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema?: object }> }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: object
}

interface Checker {
  readonly operations: readonly Described[]
  readonly ajv: Ajv2020
  readonly compiled: Map<object, ValidateFunction>
}

const checkers = new Map<string, Promise<Checker>>()

async function load(baseUrl: string): Promise<Checker> {
  const answer = await fetch(`${baseUrl}/openapi.json`)
  const document = (await answer.json()) as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      responses: operation.responses,
    })),
  )
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
  ajv.addSchema({ $id: 'openapi', components: document.components })
  return { operations, ajv, compiled: new Map() }
}

/** Fails when the document promises something else for this call, or does not know its status. */
export async function checkAnswer(
  baseUrl: string,
  call: { readonly method: string; readonly path: string },
  answer: { readonly status: number; readonly type: string; readonly body: unknown },
): Promise<void> {
  let loading = checkers.get(baseUrl)
  if (loading === undefined) {
    loading = load(baseUrl)
    checkers.set(baseUrl, loading)
  }
  const { operations, ajv, compiled } = await loading
  const path = call.path.split('?')[0] ?? ''
  // The more exact path first: /v1/sessions/import is no session.
  const operation = operations
    .filter((one) => one.method === call.method && one.path.test(path))
    .toSorted((a, b) => a.path.source.split('[').length - b.path.source.split('[').length)[0]
  if (operation === undefined) return
  const described = operation.responses[String(answer.status)] ?? operation.responses['default']
  const type = answer.type.split(';')[0]?.trim() ?? ''
  const content = described?.content ?? {}
  const where = `${call.method} ${path} ${answer.status} ${type}`
  if (answer.status === 204) return
  assert.ok(type in content, `${where} is not described: ${Object.keys(content).join()}`)
  const schema = content[type]?.schema
  if (schema === undefined || !type.endsWith('json')) return
  let validate = compiled.get(schema)
  if (validate === undefined) {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')
    validate = ajv.compile(JSON.parse(text) as object)
    compiled.set(schema, validate)
  }
  assert.ok(validate(answer.body), `${where} breaks its schema: ${ajv.errorsText(validate.errors)}`)
}
