import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['test/core/**/*.test.ts', 'test/http/**/*.test.ts', 'test/worker/**/*.test.ts'],
  },
})
