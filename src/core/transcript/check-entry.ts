/** A JSON object as it was parsed: every key is data, `__proto__` too. */
export type JsonObject = Record<string, unknown>

/** True for a JSON object, neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Names what is wrong with the fields that Baton itself reads of an entry; null when it can be kept.
 * Only what would break the building of a context counts: unknown types, roles and fields always pass.
 */
export function entryFault(entry: JsonObject): string | null {
  switch (entry['type']) {
    case 'message':
      return messageFault(entry['message'])
    case 'custom_message':
      // content of another kind is kept, the context leaves it out
      return Array.isArray(entry['content']) ? blocksFault('content', entry['content']) : null
    case 'compaction':
      return typeof entry['summary'] === 'string' ? null : 'summary is not a string'
    case 'branch_summary': {
      const { summary } = entry
      return summary === undefined || summary === null || typeof summary === 'string'
        ? null
        : 'summary is not a string'
    }
    default:
      return null
  }
}

function messageFault(message: unknown): string | null {
  if (!isJsonObject(message)) return 'message is not an object'
  const { role, content } = message
  if (typeof role !== 'string') return 'message.role is not a string'
  switch (role) {
    case 'user':
    case 'developer':
      if (typeof content === 'string') return null
      return Array.isArray(content)
        ? blocksFault('message.content', content)
        : 'message.content is neither a string nor an array'
    case 'toolResult':
      if (typeof message['toolCallId'] !== 'string') return 'message.toolCallId is not a string'
      return listFault(content)
    case 'assistant':
      return listFault(content)
    case 'custom':
    case 'hookMessage':
      return Array.isArray(content) ? blocksFault('message.content', content) : null
    default:
      return null
  }
}

function listFault(content: unknown): string | null {
  return Array.isArray(content)
    ? blocksFault('message.content', content)
    : 'message.content is not an array'
}

function blocksFault(path: string, blocks: readonly unknown[]): string | null {
  const index = blocks.findIndex((block) => !isBlock(block))
  return index < 0 ? null : `${path}[${index}] is not a content block`
}

function isBlock(block: unknown): boolean {
  if (!isJsonObject(block)) return false
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string'
    case 'thinking':
      return typeof block['thinking'] === 'string'
    case 'image':
      return typeof block['data'] === 'string' && typeof block['mimeType'] === 'string'
    case 'toolCall':
      return (
        typeof block['id'] === 'string' &&
        typeof block['name'] === 'string' &&
        isJsonObject(block['arguments'])
      )
    default:
      return typeof block['type'] === 'string'
  }
}
