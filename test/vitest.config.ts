import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '..')

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'core',
          root,
          include: [
            'test/core/**/*.test.ts',
            'test/http/**/*.test.ts',
            'test/worker/**/*.test.ts',
            'test/db/**/*.test.ts',
            'test/cli/**/*.test.ts',
          ],
        },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            main: join(root, 'test/cloudflare/worker.ts'),
            wrangler: { configPath: join(root, 'wrangler.toml') },
            miniflare: {
              // node:assert of the conformance suites; the service itself runs without it
              compatibilityFlags: ['nodejs_compat'],
              bindings: { MIGRATIONS: await readD1Migrations(join(root, 'migrations/catalog')) },
            },
          })),
        ],
        test: { name: 'cloudflare', root, include: ['test/cloudflare/**/*.test.ts'] },
      },
    ],
  },
})
