import { describe, expect, test } from 'vitest'
import { ANTHROPIC } from '../../../src/core/providers/catalogue/anthropic.ts'
import { DEEPSEEK } from '../../../src/core/providers/catalogue/deepseek.ts'
import { GOOGLE } from '../../../src/core/providers/catalogue/google.ts'
import { GROQ } from '../../../src/core/providers/catalogue/groq.ts'
import { MISTRAL } from '../../../src/core/providers/catalogue/mistral.ts'
import { OPENAI } from '../../../src/core/providers/catalogue/openai.ts'
import { OPENROUTER } from '../../../src/core/providers/catalogue/openrouter.ts'
import { XAI } from '../../../src/core/providers/catalogue/xai.ts'
import { findModel } from '../../../src/core/providers/find-model.ts'
import { EFFORTS } from '../../../src/core/providers/types.ts'

const LISTS = { OPENAI, ANTHROPIC, GOOGLE, MISTRAL, DEEPSEEK, XAI, GROQ, OPENROUTER }

describe('the catalogue', () => {
  test.each(Object.entries(LISTS))('%s is whole: every number can be one', (_, models) => {
    expect(new Set(models.map((model) => model.id)).size).toBe(models.length)
    for (const { id, contextWindow, outputLimit, input, efforts, cost } of models) {
      expect(contextWindow, id).toBeGreaterThanOrEqual(8192)
      expect(contextWindow, id).toBeLessThanOrEqual(2_000_000)
      expect(outputLimit, id).toBeGreaterThanOrEqual(4096)
      expect(outputLimit, id).toBeLessThanOrEqual(contextWindow)
      expect(input, id).toContain('text')
      if (efforts !== undefined) {
        expect(efforts.length, id).toBeGreaterThan(0)
        expect(efforts, id).toEqual(EFFORTS.filter((effort) => efforts.includes(effort)))
      }
      if (cost === undefined) continue
      expect(cost.output, id).toBeGreaterThanOrEqual(cost.input)
      expect(cost.cacheRead, id).toBeLessThanOrEqual(cost.input)
    }
  })

  test('is asked by provider, and knows nothing of other providers', () => {
    expect(findModel('openai', 'gpt-5.1')).toEqual({
      id: 'gpt-5.1',
      contextWindow: 400_000,
      outputLimit: 128_000,
      efforts: ['low', 'medium', 'high'],
      input: ['text', 'image'],
      cost: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
    })
    expect(findModel('anthropic', 'gpt-5.1')).toBeNull()
    expect(findModel('local', 'outline')).toBeNull()
    expect(findModel('constructor', 'gpt-5.1')).toBeNull()
    expect(findModel('openai', '__proto__')).toBeNull()
    expect(findModel('openai', '')).toBeNull()
  })
})

describe('an id', () => {
  test.each([
    ['openai', 'gpt-4o-2024-08-06', 'gpt-4o'],
    ['openai', 'gpt-4-0613', 'gpt-4'],
    ['openai', 'gpt-5.1-2025-11-13', 'gpt-5.1'],
    ['openai', 'gpt-5-mini-2025-08-07', 'gpt-5-mini'],
    ['openai', 'gpt-5.4-pro-2026-03-05', 'gpt-5.4-pro'],
    ['anthropic', 'claude-3-7-sonnet-latest', 'claude-3-7-sonnet'],
    ['anthropic', 'claude-opus-4-20250514', 'claude-opus-4'],
    ['anthropic', 'claude-opus-4-1-20250805', 'claude-opus-4-1'],
    ['anthropic', 'claude-opus-4@20250514', 'claude-opus-4'],
    ['google', 'gemini-2.0-flash-001', 'gemini-2.0-flash'],
    ['google', 'gemini-3-flash-preview', 'gemini-3-flash'],
    ['google', 'gemini-2.5-pro-preview-05-06', 'gemini-2.5-pro'],
    ['google', 'gemini-2.5-flash-lite-preview-09-2025', 'gemini-2.5-flash-lite'],
    ['xai', 'grok-4-0709', 'grok-4'],
    ['groq', 'openai/gpt-oss-20b', 'openai/gpt-oss-20b'],
    ['openrouter', 'qwen/qwen3-coder:free', 'qwen/qwen3-coder'],
    ['openrouter', 'qwen/qwen3-235b-a22b-2507', 'qwen/qwen3-235b-a22b-2507'],
  ])('of %s, %s, means %s', (provider, id, expected) => {
    expect(findModel(provider, id)?.id).toBe(expected)
  })

  test.each([
    ['openai', 'gpt-4-32k'],
    ['openai', 'gpt-4-1106-preview'],
    ['openai', 'gpt-4o-realtime-preview'],
    ['openai', 'gpt-5.9'],
    ['openai', 'gpt-5.4-chat-latest'],
    ['openai', 'openai/gpt-4o'],
    ['anthropic', 'claude-opus-4-9'],
    ['google', 'gemini-3-pro-image-preview'],
    ['mistral', 'mistral-large-2407'],
    ['xai', 'grok-4-heavy'],
    ['openrouter', 'gpt-4o'],
    ['openrouter', 'nobody/gpt-4o'],
  ])('of %s, %s, is not taken for a shorter one', (provider, id) => {
    expect(findModel(provider, id)).toBeNull()
  })

  test('that only begins like a known one is another model', () => {
    expect(findModel('openai', 'gpt-4o')?.contextWindow).toBe(128_000)
    expect(findModel('openai', 'gpt-4')?.contextWindow).toBe(8192)
    expect(findModel('openai', 'gpt-4o-2024-11-20')?.id).toBe('gpt-4o')
  })

  test('of any length is answered at once', () => {
    const started = performance.now()
    for (const id of [
      '-1'.repeat(200_000),
      ':'.repeat(200_000),
      `gpt-4${'-preview'.repeat(50_000)}`,
    ])
      expect(findModel('openai', id)).toBeNull()
    expect(performance.now() - started).toBeLessThan(500)
  })
})

describe('the efforts', () => {
  test.each([
    ['openai', 'gpt-4.1', undefined],
    ['openai', 'o3', ['low', 'medium', 'high']],
    ['openai', 'gpt-5-nano', ['minimal', 'low', 'medium', 'high']],
    ['openai', 'gpt-5-pro', ['high']],
    ['openai', 'gpt-5.1-chat-latest', ['medium']],
    ['openai', 'gpt-5.2', ['low', 'medium', 'high', 'xhigh']],
    ['openai', 'gpt-5.4-pro', ['medium', 'high', 'xhigh']],
    ['openai', 'gpt-5.6-terra', ['low', 'medium', 'high', 'xhigh']],
    ['openai', 'gpt-6-astra', ['low', 'medium', 'high', 'xhigh']],
    ['anthropic', 'claude-haiku-4-5', ['minimal', 'low', 'medium', 'high']],
    ['anthropic', 'claude-opus-4-5', ['low', 'medium', 'high']],
    ['anthropic', 'claude-sonnet-4-6', ['low', 'medium', 'high', 'max']],
    ['anthropic', 'claude-opus-4-7', ['low', 'medium', 'high', 'xhigh', 'max']],
    ['google', 'gemini-2.5-pro', ['minimal', 'low', 'medium', 'high']],
    ['google', 'gemini-3-pro-preview', ['low', 'high']],
    ['mistral', 'mistral-large-2512', undefined],
    ['mistral', 'magistral-medium-latest', ['high']],
    ['deepseek', 'deepseek-v4-pro', ['high']],
    ['xai', 'grok-3-mini', ['low', 'high']],
    ['xai', 'grok-4', undefined],
    ['xai', 'grok-build-0.1', undefined],
    ['groq', 'qwen/qwen3-32b', undefined],
    ['groq', 'openai/gpt-oss-120b', ['low', 'medium', 'high']],
  ])('of %s, %s, are %j', (provider, id, efforts) => {
    expect(findModel(provider, id)?.efforts).toEqual(efforts)
  })

  test.each([
    ['anthropic', 'claude-sonnet-4-5-20250929', 'budget'],
    ['anthropic', 'claude-opus-4-5', 'budget-effort'],
    ['anthropic', 'claude-opus-4-6', 'adaptive'],
    ['anthropic', 'claude-fable-5', 'adaptive'],
    ['google', 'gemini-2.5-flash', 'budget'],
    ['google', 'gemini-3.5-flash', 'level'],
  ])('of %s, %s, are asked for as %s', (provider, id, thinking) => {
    expect(findModel(provider, id)?.options).toEqual({ thinking })
  })

  test('every model of Anthropic and Google that has some says how they are asked for', () => {
    for (const { id, efforts, options } of [...ANTHROPIC, ...GOOGLE]) {
      expect(options?.thinking !== undefined, id).toBe(efforts !== undefined)
    }
  })
})

describe('OpenRouter', () => {
  test('has the models of other vendors under its own names, and its own way to ask for thinking', () => {
    const model = findModel('openrouter', 'anthropic/claude-opus-4.5')
    const { options, ...rest } = findModel('anthropic', 'claude-opus-4-5') ?? {}
    expect(options).toEqual({ thinking: 'budget-effort' })
    expect(model).toEqual({
      ...rest,
      id: 'anthropic/claude-opus-4.5',
      options: { reasoning: 'reasoning', cacheControl: true },
    })
  })

  test.each([
    ['openai/gpt-5.1', 400_000],
    ['openai/gpt-4o-2024-08-06', 128_000],
    ['anthropic/claude-3.7-sonnet:thinking', 200_000],
    ['anthropic/claude-sonnet-4.5', 200_000],
    ['anthropic/claude-opus-4', 200_000],
    ['anthropic/claude-fable-5.1', 1_000_000],
    ['google/gemini-2.5-pro', 1_048_576],
    ['x-ai/grok-4.3', 1_000_000],
    ['mistralai/mistral-large-2512', 262_144],
  ])('knows %s', (id, contextWindow) => {
    const model = findModel('openrouter', id)
    expect(model?.contextWindow).toBe(contextWindow)
    expect(model?.options?.reasoning).toBe('reasoning')
    expect(model?.options?.thinking).toBeUndefined()
  })

  test('says itself what it serves otherwise than the vendor', () => {
    expect(findModel('deepseek', 'deepseek-v4-pro')?.options?.reasoning).toBe('thinking')
    expect(findModel('openrouter', 'deepseek/deepseek-v4-pro')).toMatchObject({
      efforts: ['high', 'xhigh'],
      cost: { input: 0.9 },
      options: { reasoning: 'reasoning' },
    })
  })

  test('passes messages on to Mistral, whose rules for them stay', () => {
    expect(findModel('openrouter', 'mistralai/devstral-2512')?.options).toEqual({
      reasoning: 'reasoning',
      bridge: 'tool',
      toolCallIds: 'alnum9',
    })
  })

  test('has other prices for tagged models', () => {
    expect(findModel('openrouter', 'openai/gpt-oss-20b')?.cost?.input).toBe(0.018)
    expect(findModel('openrouter', 'openai/gpt-oss-20b:free')?.cost).toBeUndefined()
  })
})
