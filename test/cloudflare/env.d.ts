/// <reference types="@cloudflare/vitest-plugin/types" />

declare namespace Cloudflare {
  interface Env {
    readonly CATALOG: D1Database
    readonly SESSIONS: DurableObjectNamespace
    readonly MIGRATIONS: { name: string; queries: string[] }[]
  }
}
