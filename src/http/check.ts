import type * as z from 'zod'
import { invalid } from '../core/errors.ts'

const MAX_ISSUES = 20
/** A path repeats keys of the caller, which may be megabytes long. */
const MAX_PATH = 200

/** A value that fits the schema; `invalid` with its issues otherwise. */
export function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(
    parsed.error.issues
      .slice(0, MAX_ISSUES)
      .flatMap(flatten)
      .map(({ path, message }) => ({ path: dotted(path), message })),
  )
}

/** A path as an issue names it. */
export function dotted(path: readonly PropertyKey[]): string {
  // Cut first and made well-formed again: the cut may go through a surrogate pair.
  return path.map(String).join('.').slice(0, MAX_PATH).toWellFormed()
}

/** One issue a place: unknown keys one by one, and of a union what its closest alternative says. */
function flatten(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_ISSUES).map((key) => ({
      ...issue,
      path: [...issue.path, key],
      message: 'Unknown field',
    }))
  }
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const closest = issue.errors.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0]
  if (closest === undefined || depth(closest) === 0) {
    return [{ ...issue, message: expectation(issue.errors) ?? issue.message }]
  }
  return closest
    .slice(0, MAX_ISSUES)
    .flatMap((one) => flatten({ ...one, path: [...issue.path, ...one.path] } as z.core.$ZodIssue))
}

/** How deep the issues lie: the deeper, the more of the value did fit. Not spread: there may be many. */
function depth(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((deepest, issue) => {
    // What only has a field too many was meant to be this alternative.
    const own = issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)
    return Math.max(deepest, own)
  }, 0)
}

/** Of the alternative that has the right type, what else is wrong; otherwise the types that would have fit. */
function expectation(alternatives: readonly (readonly z.core.$ZodIssue[])[]): string | null {
  const first = alternatives.flatMap((issues) => issues.slice(0, 1))
  const near = first.find(({ code }) => code === 'too_big' || code === 'too_small')
  if (near !== undefined) return near.message
  const types = first.map((issue) => (issue.code === 'invalid_type' ? issue.expected : null))
  return types.includes(null) ? null : `Expected ${[...new Set(types)].join(' or ')}`
}
