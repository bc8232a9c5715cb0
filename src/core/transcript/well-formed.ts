/** A surrogate written as an escape: the only way a lone one can be in JSON text that was decoded from UTF-8. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/

/** True when a value parsed from this JSON text may hold a lone surrogate; cheap, so that most lines need no walk. */
export function mayHoldSurrogates(text: string): boolean {
  return ESCAPED_SURROGATE.test(text)
}

/**
 * Replaces lone surrogates by U+FFFD in every string and key of a parsed JSON value, in place where it can.
 * Recursive: the caller has bounded the depth.
 */
export function toWellFormed(value: unknown): {
  readonly value: unknown
  readonly changed: boolean
} {
  if (typeof value === 'string') {
    return value.isWellFormed()
      ? { value, changed: false }
      : { value: value.toWellFormed(), changed: true }
  }
  if (typeof value !== 'object' || value === null) return { value, changed: false }
  let changed = false
  for (const [key, item] of Object.entries(value)) {
    const inner = toWellFormed(item)
    const sound = key.toWellFormed()
    if (!inner.changed && sound === key) continue
    changed = true
    if (sound !== key) Reflect.deleteProperty(value, key)
    // defined, not assigned: an assignment to `__proto__` would set the prototype
    Object.defineProperty(value, sound, {
      value: inner.value,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  }
  return { value, changed }
}
