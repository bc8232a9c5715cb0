import type { InputBlock, ToolResultMessage } from '../entry.ts'

/** What a client shows of a tool's result: its text, as data where it is an object or a list. */
export function toolOutput({ content }: Pick<ToolResultMessage, 'content'>): unknown {
  const text = resultText(content)
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** All text of a result. */
export function resultText(content: readonly InputBlock[]): string {
  return content
    .map((block) => (block.type === 'text' ? block.text : `[${block.mimeType}]`))
    .join('\n')
}
