import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256Hex } from '../../src/core/digest.ts'

test('it is SHA-256 in small hex digits, leading zeros too', async () => {
  expect(await sha256Hex('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  for (let count = 0; count < 64; count += 1) {
    const text = `text ${count}`
    expect(await sha256Hex(text)).toBe(createHash('sha256').update(text).digest('hex'))
  }
})

test('text and its UTF-8 bytes have the same digest, other texts another', async () => {
  const text = 'Grüße 😀'
  expect(await sha256Hex(new TextEncoder().encode(text))).toBe(await sha256Hex(text))
  expect(await sha256Hex('')).toBe(await sha256Hex(new Uint8Array()))
  expect(await sha256Hex('a:bc')).not.toBe(await sha256Hex('ab:c'))
})
