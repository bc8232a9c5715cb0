/** A JSON object of a foreign program: nothing of it is known. */
export type Fields = Readonly<Record<string, unknown>>

/** True for a JSON object; false for arrays and null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object, or null for everything else. */
export function asFields(value: unknown): Fields | null {
  return isFields(value) ? value : null
}

/** The text under that name; empty when there is none. */
export function textOf(fields: Fields | null, name: string): string {
  const value = fields?.[name]
  return typeof value === 'string' ? value : ''
}

/** The objects of a list; none when it is no list. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}
