import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FakeProvider } from '../support/fake-provider.ts'
import { say, startFakeProvider } from '../support/fake-provider.ts'

const root = join(import.meta.dirname, '../..')
let provider: FakeProvider
beforeAll(async () => {
  provider = await startFakeProvider()
})
afterAll(() => provider.close())

function smoke(env: Record<string, string>, ...args: string[]) {
  return promisify(execFile)(process.execPath, [join(root, 'src/cli/smoke.ts'), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', SMOKE_WAIT_MS: '0', ...env },
  })
}

test('without a key the smoke run is skipped, and says so', async () => {
  const { stdout } = await smoke({}, 'openai/gpt-4o')
  expect(stdout).toMatch(/^Skipped: there is no key for openai/)
})

test('with one it runs two turns and a handoff, and prints what came from the cache', async () => {
  provider.on('smoke', (reply) =>
    say(reply, '## Goal\nGo on', {
      usage: {
        prompt_tokens: 1_000,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 750 },
      },
    }),
  )
  const baseUrl = `http://127.0.0.1:${provider.port}/v1`
  const PROVIDERS = JSON.stringify({ lab: { api: 'openai-completions', baseUrl } })
  const { stdout } = await smoke({ PROVIDERS }, 'lab/smoke')
  expect(stdout.match(/^turn {9}250 {6}750 {8}\? {8}5 +75\.0 %$/gm)).toHaveLength(2)
  expect(stdout).toMatch(/^handoff +250 +750 +\? +5 +75\.0 %$/m)
  expect(stdout).toContain('## Goal\nGo on')
  expect(provider.requests('smoke')).toHaveLength(3)
})

test('a model that fails ends it with the reason', async () => {
  const failed = await smoke({}, 'nobody/x').catch((thrown: { stderr: string }) => thrown.stderr)
  expect(failed).toBe('No such provider: nobody/x\n')
})
