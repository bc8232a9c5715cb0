import { expect, test } from 'vitest'
import { sessionMeta } from '../../conformance/material.ts'
import { inheritConfig } from '../../../src/core/handoff/inherit.ts'

const { config } = sessionMeta()

test('a child inherits model, level, system prompt, tools and settings, but no mode (S8)', () => {
  const child = inheritConfig({ ...config, mode: 'plan' })
  expect(child).toEqual({ ...config, mode: 'none', title: 'A title (continued)' })
})

test('its title says that it goes on, once, and stays within the limit', () => {
  const titled = (title: string | null) => inheritConfig({ ...config, title }).title
  expect(titled(null)).toBeNull()
  expect(titled('Shop (continued)')).toBe('Shop (continued)')
  const long = titled('😀'.repeat(300)) ?? ''
  expect(long.isWellFormed()).toBe(true)
  expect(long.endsWith(' (continued)')).toBe(true)
  expect(long.length).toBeLessThanOrEqual(612)
  expect(titled('x'.repeat(500))).toHaveLength(500)
})
