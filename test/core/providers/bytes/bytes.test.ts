import { describe, expect, test } from 'vitest'
import { createAnthropicDecoder } from '../../../../src/core/providers/decode-anthropic.ts'
import { createCompletionsDecoder } from '../../../../src/core/providers/decode-completions.ts'
import { createGoogleDecoder } from '../../../../src/core/providers/decode-google.ts'
import { createResponsesDecoder } from '../../../../src/core/providers/decode-responses.ts'
import { decodePieces, splits } from '../../../support/decode-bytes.ts'
import {
  readAnthropic,
  readCompletions,
  readGoogle,
  readResponses,
} from '../../../support/read-with-clients.ts'
import { serveBytes } from '../../../support/serve-bytes.ts'
import { MODEL } from '../model.ts'
import { BAD_ANTHROPIC, GOOD_ANTHROPIC } from './anthropic.ts'
import { BAD_COMPLETIONS, GOOD_COMPLETIONS } from './completions.ts'
import type { Fixture } from './fixture.ts'
import { BAD_GOOGLE, GOOD_GOOGLE } from './google.ts'
import { BAD_RESPONSES, GOOD_RESPONSES } from './responses.ts'

/** Every shape of an answer that servers were seen to send, on every wire; the well-formed ones are read by the vendors' clients too. */

const WIRES = [
  {
    api: 'openai-completions',
    good: GOOD_COMPLETIONS,
    bad: BAD_COMPLETIONS,
    createDecoder: createCompletionsDecoder,
    readWithClient: readCompletions,
  },
  {
    api: 'openai-responses',
    good: GOOD_RESPONSES,
    bad: BAD_RESPONSES,
    createDecoder: createResponsesDecoder,
    readWithClient: readResponses,
  },
  {
    api: 'anthropic-messages',
    good: GOOD_ANTHROPIC,
    bad: BAD_ANTHROPIC,
    createDecoder: createAnthropicDecoder,
    readWithClient: readAnthropic,
  },
  {
    api: 'google-generative-ai',
    good: GOOD_GOOGLE,
    bad: BAD_GOOGLE,
    createDecoder: createGoogleDecoder,
    readWithClient: readGoogle,
  },
] as const

describe.each(WIRES)('$api', ({ api, good: goods, bad, createDecoder, readWithClient }) => {
  const create = () => createDecoder({ ...MODEL, api }, () => undefined)

  describe.each(goods)('$name', (fixture) => {
    const { bytes, text, thinking, signature, calls = [], usage, stopReason } = fixture

    test('is one answer, however the bytes are cut', async () => {
      for (const pieces of splits(bytes)) {
        const answer = await decodePieces(pieces, create)
        const texts = answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
        expect(texts.join('')).toBe(text)
        const called = answer.content.flatMap((block) => (block.type === 'toolCall' ? [block] : []))
        expect(called).toMatchObject(calls)
        expect(called).toHaveLength(calls.length)
        if (thinking !== undefined) {
          expect(answer.content[0]).toMatchObject({ type: 'thinking', thinking })
        }
        if (signature !== undefined) expect(answer.content[0]).toMatchObject({ signature })
        if (usage !== undefined) expect(answer.usage).toMatchObject(usage)
        if (stopReason !== undefined) expect(answer.stopReason).toBe(stopReason)
      }
    })
  })

  test.each(goods.filter(({ good }) => good))(
    '$name is read by the vendor’s client alike',
    async ({ bytes, text, calls = [], usage }: Fixture) => {
      const read = await serveBytes(bytes, readWithClient)
      expect(read.text).toBe(text)
      expect(read.calls).toEqual(calls)
      if (usage !== undefined) expect(read.output).toBe(usage.output)
    },
  )

  test.each(bad)(
    '$name is an error of class $class, however the bytes are cut',
    async (fixture) => {
      for (const pieces of splits(fixture.bytes)) {
        const failed = await decodePieces(pieces, create).catch((thrown: unknown) => thrown)
        expect(failed).toMatchObject({ name: 'ProviderError', class: fixture.class })
        expect(String(failed)).not.toMatch(/half|secret/)
      }
    },
  )
})
