/**
 * The prompt caches of providers, simulated from their documentation: what of a request is read from what earlier
 * requests left, and what is written. Tokens are counted as four characters each; only equality matters.
 */

/** A prompt in the order in which its provider puts it together: tools, system, messages. */
export interface PromptBlock {
  readonly text: string
  /** a cache breakpoint of the request stands here */
  readonly marked: boolean
}

export interface CacheUse {
  readonly total: number
  readonly read: number
  readonly written: number
}

export interface PromptCache {
  send(prompt: readonly PromptBlock[]): CacheUse
}

type Body = Readonly<Record<string, unknown>>

const CHARS_PER_TOKEN = 4
/** OpenAI: prompts from 1,024 tokens on, in steps of 128. */
const LEAST_TOKENS = 1_024
const STEP = 128
/** Anthropic: how many blocks before a breakpoint are looked at. */
const LOOKBACK = 20
const MOST_BREAKPOINTS = 4

/** The prompt inside a request body of any of the four wires, whatever the order of its fields. */
export function promptOf(body: Body): readonly PromptBlock[] {
  const system = body['system'] ?? body['systemInstruction'] ?? body['instructions']
  const messages = body['messages'] ?? body['input'] ?? body['contents']
  return [
    ...listOf(body['tools']).map(toBlock),
    ...(system === undefined ? [] : listOf(system).map(toBlock)),
    ...listOf(messages).flatMap(toBlocks),
  ]
}

/** OpenAI's: an exact prefix of any earlier prompt, read in whole steps; nothing is ever paid for writing. */
export function createPrefixCache(): PromptCache {
  const known: string[] = []
  return {
    send(prompt) {
      const text = prompt.map((block) => block.text).join('\n')
      const shared = known.reduce((most, earlier) => Math.max(most, sharedPrefix(earlier, text)), 0)
      known.push(text)
      const tokens = Math.floor(shared / CHARS_PER_TOKEN)
      const read = tokens < LEAST_TOKENS ? 0 : tokens - (tokens % STEP)
      return { total: Math.floor(text.length / CHARS_PER_TOKEN), read, written: 0 }
    },
  }
}

/**
 * Anthropic's: the longest earlier entry that ends at a breakpoint or up to 20 blocks before one is read; from there
 * to the last breakpoint is written. Throws for a fifth breakpoint, as the API does.
 */
export function createMarkedCache(): PromptCache {
  const entries = new Set<string>()
  return {
    send(prompt) {
      const marks = prompt.flatMap((block, at) => (block.marked ? [at] : []))
      if (marks.length > MOST_BREAKPOINTS) throw new Error(`Found ${marks.length} breakpoints`)
      const ends = prefixEnds(prompt)
      const prefix = (at: number): string => ends.text.slice(0, ends.at[at])
      const tokens = (at: number): number =>
        at < 0 ? 0 : Math.floor((ends.at[at] ?? 0) / CHARS_PER_TOKEN)
      let found = -1
      for (const mark of marks.toReversed()) {
        for (let at = mark; at >= Math.max(0, mark - LOOKBACK); at -= 1) {
          if (at > found && entries.has(prefix(at))) found = at
        }
      }
      const last = marks.at(-1) ?? -1
      for (const mark of marks) if (tokens(mark) >= LEAST_TOKENS) entries.add(prefix(mark))
      const written = tokens(last) < LEAST_TOKENS ? 0 : Math.max(0, tokens(last) - tokens(found))
      return { total: tokens(prompt.length - 1), read: tokens(found), written }
    },
  }
}

/** Characters two texts have in common from their beginning. */
export function sharedPrefix(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  // By halves: both may have millions.
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (one.slice(low, middle) === other.slice(low, middle)) low = middle
    else high = middle - 1
  }
  return low
}

function prefixEnds(prompt: readonly PromptBlock[]): { text: string; at: readonly number[] } {
  let length = 0
  const at = prompt.map(({ text }) => (length += text.length + 1))
  return { text: prompt.map(({ text }) => `${text}\n`).join(''), at }
}

/** The blocks of one message; each begins with who says it. */
function toBlocks(message: unknown): readonly PromptBlock[] {
  if (typeof message !== 'object' || message === null) return [toBlock(message)]
  const { content, parts, ...rest } = message as Body
  const blocks = content ?? parts
  if (!Array.isArray(blocks)) return [toBlock(message)]
  return blocks.map((block, at) => {
    const { text, marked } = toBlock(block)
    return { text: at === 0 ? JSON.stringify(rest) + text : text, marked }
  })
}

function toBlock(value: unknown): PromptBlock {
  if (typeof value !== 'object' || value === null) return { text: String(value), marked: false }
  const { cache_control: mark, ...rest } = value as Body
  return { text: JSON.stringify(rest), marked: mark !== undefined }
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
