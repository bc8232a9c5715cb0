import { describe, expect, test } from 'vitest'
import { ANTHROPIC } from '../../../src/core/providers/catalogue/anthropic.ts'
import { findModel, listKnown } from '../../../src/core/providers/find-model.ts'
import { EFFORTS } from '../../../src/core/providers/types.ts'

describe('a model is found', () => {
  test.each([
    ['openai', 'gpt-5.1', 'gpt-5.1'],
    ['openai', 'gpt-4o-2024-11-20', 'gpt-4o'],
    ['openai', 'gpt-4-0613', 'gpt-4'],
    ['anthropic', 'claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['anthropic', 'claude-sonnet-4-20250514', 'claude-sonnet-4'],
    ['anthropic', 'claude-3-7-sonnet-latest', 'claude-3-7-sonnet'],
    ['google', 'models/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['google', 'gemini-2.5-flash-preview-09-2025', 'gemini-2.5-flash'],
    ['groq', 'openai/gpt-oss-20b', 'openai/gpt-oss-20b'],
    ['openrouter', 'anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['openrouter', 'openai/gpt-5.1:free', 'gpt-5.1'],
    ['openrouter', 'x-ai/grok-4', 'grok-4'],
  ])('%s/%s is %s', (provider, id, expected) => {
    expect(findModel(provider, id)?.id).toBe(expected)
  })

  test.each([
    ['openai', 'gpt-4o-audio'],
    ['openai', 'gpt-5.9'],
    ['anthropic', 'claude-sonnet-4-9'],
    ['openrouter', 'somebody/gpt-5.1'],
    ['openrouter', 'gpt-5.1'],
    ['ollama', 'gpt-5.1'],
    ['constructor', 'x'],
  ])('%s/%s is not known', (provider, id) => {
    expect(findModel(provider, id)).toBeNull()
  })

  test('OpenRouter tells all of them how to think in its own way', () => {
    expect(findModel('openrouter', 'anthropic/claude-opus-4.5')?.options).toEqual({
      reasoning: 'reasoning',
      cacheControl: true,
    })
    expect(findModel('openrouter', 'google/gemini-2.5-pro')?.options).toEqual({
      reasoning: 'reasoning',
    })
  })
})

describe('efforts', () => {
  test.each([
    ['openai', 'gpt-5', 'minimal low medium high'],
    ['openai', 'gpt-5.1', 'low medium high'],
    ['openai', 'gpt-5-pro', 'high'],
    ['openai', 'gpt-5.4-pro', 'medium high xhigh'],
    ['openai', 'gpt-6-astra', 'low medium high xhigh max'],
    ['openai', 'o3', 'low medium high'],
    ['openai', 'gpt-4o', ''],
    ['anthropic', 'claude-opus-4-5', 'low medium high'],
    ['anthropic', 'claude-opus-4-6', 'low medium high max'],
    ['anthropic', 'claude-opus-4-7', 'low medium high xhigh max'],
    ['google', 'gemini-2.5-pro', 'minimal low medium high'],
    ['google', 'gemini-3.1-pro-preview', 'low medium high'],
    ['xai', 'grok-4', ''],
    ['groq', 'qwen/qwen3.6-27b', ''],
    ['mistral', 'magistral-medium-latest', 'high'],
  ])('of %s/%s are: %s', (provider, id, expected) => {
    expect(findModel(provider, id)?.efforts.join(' ')).toBe(expected)
  })

  test('of every model ascend, and windows, limits and prices are what they can be', () => {
    for (const vendor of ['openai', 'anthropic', 'google', 'mistral', 'deepseek', 'xai', 'groq']) {
      const models = listKnown(vendor)
      expect(new Set(models.map(({ id }) => id)).size).toBe(models.length)
      for (const { efforts, contextWindow, outputLimit, cost, id } of models) {
        expect(efforts, id).toEqual(EFFORTS.filter((effort) => efforts.includes(effort)))
        expect(outputLimit, id).toBeLessThanOrEqual(contextWindow)
        expect(cost.cacheRead, id).toBeLessThanOrEqual(cost.input)
      }
    }
    for (const { options, efforts, id } of ANTHROPIC) {
      expect(options.thinking !== undefined, id).toBe(efforts.length > 0)
    }
  })
})
