import { BatonError } from '../core/errors.ts'
import type { Hooks } from '../core/ports.ts'
import type { ToolDefinitions } from '../core/tools/server-tool.ts'
import { createServerTools } from '../core/tools/server-tool.ts'
import { createApp } from '../http/app.ts'
import { createConfig } from '../http/config.ts'
import { logEvent } from '../http/log.ts'
import { toProblem } from '../http/problem.ts'
import { VERSION } from '../http/version.ts'
import { createD1Catalog } from './d1-catalog.ts'
import type { BatonEnv } from './env.ts'
import { variables } from './env.ts'
import type { SessionObjectClass } from './session-object.ts'
import { createSessionObject } from './session-object.ts'
import { createOpen } from './open-session.ts'

export interface BatonOptions {
  readonly hooks?: Hooks
  /** run inside the turns of every session, by name */
  readonly tools?: ToolDefinitions
}

/** A Worker: export `fetch` as its handler and `SessionObject` as its Durable Object class. */
export interface Baton {
  fetch(request: Request, env: BatonEnv): Promise<Response>
  readonly SessionObject: SessionObjectClass
}

/** Baton on Cloudflare, with code hooks of the embedding program. Bindings come with each request. */
export function createBaton(options: BatonOptions = {}): Baton {
  // One app per environment object: the runtime gives an isolate the same one every time.
  const tools = createServerTools(options.tools)
  const apps = new WeakMap<BatonEnv, ReturnType<typeof createApp>>()

  function appOf(env: BatonEnv): ReturnType<typeof createApp> {
    const known = apps.get(env)
    if (known !== undefined) return known
    const app = createApp({
      ...createConfig(variables(env)),
      open: createOpen(env),
      catalog: createD1Catalog(env.CATALOG),
      version: VERSION,
    })
    apps.set(env, app)
    return app
  }

  return {
    async fetch(request, env) {
      let app: ReturnType<typeof createApp>
      try {
        app = appOf(env)
      } catch (thrown) {
        return misconfigured(thrown)
      }
      return app.fetch(request)
    },
    SessionObject: createSessionObject({ hooks: options.hooks ?? {}, tools }),
  }
}

/** The operator reads which variable cannot be used (never its value); a caller only that the server cannot work. */
function misconfigured(thrown: unknown): Response {
  const why = thrown instanceof Error ? thrown.message : 'A variable cannot be used'
  logEvent({ name: 'misconfigured', why })
  return toProblem(new BatonError('unavailable', 'The server is misconfigured; its log says why'))
}
