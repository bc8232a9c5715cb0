import type { Model } from './types.ts'

/** Header values shorter than this are words such as `true`, no secrets. */
const SHORTEST = 8

/** Everything configured for a model that must not be shown: its key, and what its headers carry. */
export function secretsOf(model: Model): readonly string[] {
  const values = Object.values(model.headers).flatMap((value) => [
    value,
    value.replace(/^(?:bearer|basic|token) +/i, ''),
  ])
  const secrets = values.filter((value) => value.length >= SHORTEST)
  return [...new Set([...(model.apiKey ? [model.apiKey] : []), ...secrets])]
}
