import { html, raw } from 'hono/html'
import type { OpenApiDocument } from './openapi.ts'

/** The API reference as one page without a script: it is written from the OpenAPI document at each request. */

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem }
h1 { margin-bottom: 0 } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line) }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; padding: .4rem .8rem }
summary { cursor: pointer; overflow-wrap: anywhere }
code, pre { font: .875rem/1.45 ui-monospace, monospace }
pre { background: var(--soft); border-radius: .4rem; padding: .75rem; overflow: auto; max-height: 30rem }
b.m { display: inline-block; min-width: 4.2rem; font-family: ui-monospace, monospace }
`

interface Described {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    name?: string
    in?: string
    required?: boolean
    schema?: unknown
  }[]
  readonly requestBody?: { content?: Readonly<Record<string, { schema?: unknown }>> }
  readonly responses?: Readonly<
    Record<
      string,
      { description?: string; content?: Readonly<Record<string, { schema?: unknown }>> }
    >
  >
}

/** The page. Everything from the document is escaped; nothing is loaded from anywhere. */
export async function docsPage(document: OpenApiDocument): Promise<Response> {
  const calls = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, Described>>).map(([method, described]) => ({
      path,
      method: method.toUpperCase(),
      ...described,
    })),
  )
  const tags = [...new Set(calls.map((call) => call.tags?.[0] ?? ''))]
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Baton API</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <h1>Baton API</h1>
        <p>Version ${document.info.version} · <a href="/openapi.json">openapi.json</a></p>
        ${tags.map(
          (tag) =>
            html`<h2>${tag}</h2>
              ${calls.filter((call) => call.tags?.[0] === tag).map(callBlock)}`,
        )}
        <h2>Objects</h2>
        ${Object.entries(document.components?.schemas ?? {}).map(
          ([name, schema]) =>
            html`<details id="${name}">
              <summary><code>${name}</code></summary>
              ${code(schema)}
            </details>`,
        )}
      </body>
    </html>`
  return new Response(String(await page), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  })
}

function callBlock(call: Described & { path: string; method: string }): unknown {
  const parameters = call.parameters ?? []
  return html`<details>
    <summary><b class="m">${call.method}</b> <code>${call.path}</code> — ${call.summary}</summary>
    ${parameters.map(
      (one) => html`<p><code>${one.name}</code> (${one.in}) <code>${text(one.schema)}</code></p>`,
    )}
    ${Object.entries(call.requestBody?.content ?? {}).map(
      ([type, { schema }]) =>
        html`<p>Body, <code>${type}</code></p>
          ${code(schema)}`,
    )}
    ${Object.entries(call.responses ?? {}).map(
      ([status, answer]) =>
        html`<p><b>${status}</b> ${answer.description}</p>
          ${Object.values(answer.content ?? {}).map(({ schema }) => code(schema))}`,
    )}
  </details>`
}

function code(schema: unknown): unknown {
  return html`<pre>${JSON.stringify(schema, null, 2)}</pre>`
}

function text(schema: unknown): string {
  return JSON.stringify(schema)
}
