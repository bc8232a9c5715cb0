import { HTTP_SUITE } from '../conformance/http/all.ts'
import { AUTH_CASES } from '../conformance/http/auth.ts'
import { CRASH_CASES, HOOKED_CRASH_CASES } from '../conformance/http/crash.ts'
import { HOOK_CASES } from '../conformance/http/hooks.ts'
import { FILE_LOCKED_CASES } from '../conformance/http/outage.ts'
import { SERVER_TOOL_CASES } from '../conformance/http/server-tools.ts'
import { variables } from '../conformance/http/world.ts'
import { startFakeProvider } from '../support/fake-provider.ts'
import { startDeno } from '../support/start-server.ts'

for (const { name, suite, auth, script } of [
  { name: 'over HTTP on Deno', suite: HTTP_SUITE, auth: 'none' },
  { name: 'over HTTP on Deno, with keys', suite: AUTH_CASES, auth: 'keys' },
  { name: 'killed on Deno', suite: CRASH_CASES, auth: 'none' },
  { name: 'over HTTP on Deno, file locked', suite: FILE_LOCKED_CASES, auth: 'none' },
  {
    name: 'over HTTP on Deno, embedded with hooks',
    suite: [...HOOK_CASES, ...SERVER_TOOL_CASES, ...HOOKED_CRASH_CASES],
    auth: 'none',
    script: 'test/deno/hooked.ts',
  },
]) {
  Deno.test({
    name,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn(t) {
      const provider = await startFakeProvider()
      const server = await startDeno({ ...variables(provider), AUTH: auth }, script)
      try {
        for (const { name, run } of suite) {
          await t.step({
            name,
            sanitizeOps: false,
            sanitizeResources: false,
            fn: () => run({ provider, server }),
          })
        }
      } finally {
        await server.stop()
        await provider.close()
      }
    },
  })
}
