/** Longest string kept in one row, in UTF-16 code units: at most 1.5 MB of UTF-8, below the 2 MB that a row may have. */
export const CHUNK_UNITS = 500_000

/** Bytes that one row may have on D1 and in a Durable Object; local workerd does not enforce it, so this code does. */
export const ROW_BYTES = 2_000_000

/** Cuts a string in parts that fit a row each; never inside a surrogate pair. At least one part. */
export function splitText(text: string, units = CHUNK_UNITS): readonly string[] {
  if (text.length <= units) return [text]
  const parts: string[] = []
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + units, text.length)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
    parts.push(text.slice(start, end))
    start = end
  }
  return parts
}

/** Throws when the strings of one row would not fit it. */
export function assertRowSize(values: readonly (string | null)[]): void {
  const units = values.reduce((sum, value) => sum + (value?.length ?? 0), 0)
  if (units * 3 < ROW_BYTES) return
  const encoder = new TextEncoder()
  const bytes = values.reduce((sum, value) => sum + encoder.encode(value ?? '').length, 0)
  if (bytes >= ROW_BYTES) throw new Error(`A row of ${bytes} bytes exceeds ${ROW_BYTES}`)
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
