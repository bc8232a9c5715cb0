import { BatonError } from '../errors.ts'
import type { ModelAnswer } from '../providers/types.ts'
import type { HandoffRecord } from './machine.ts'

/** Text blocks joined by one line break, as they are (X1, X4). Throws for a blank (X3), cut-off (X5) or refused document. */
export function extractDocument(answer: ModelAnswer): string {
  const texts = answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const document = texts.join('\n')
  if (answer.refused === true) {
    throw new BatonError('provider_error', `Handoff generation failed: ${document}`)
  }
  if (answer.stopReason === 'length') {
    throw new BatonError(
      'truncated_document',
      'The handoff document was cut off at the model’s output limit; raise the limit or choose another model',
    )
  }
  if (document.trim() === '' || isLeakedCall(document.trim())) {
    throw new BatonError('empty_document', 'Handoff generation produced no content')
  }
  return document
}

/**
 * Templates that know no `none` let the call through as text: Gemini fences it, Qwen, DeepSeek and Mistral mark it
 * with tokens of their own. A document that only quotes one is a document.
 */
function isLeakedCall(text: string): boolean {
  return (
    /^```tool_(?:call|code)\b[^`]*```$/.test(text) ||
    /^<tool_call>[^<]*<\/tool_call>$/.test(text) ||
    /^<｜tool▁calls?▁begin｜>/.test(text) ||
    text.startsWith('[TOOL_CALLS]')
  )
}

/** The calls themselves are dropped (X1), though a model that wanted a tool may not have written all it would have. */
const TOOL_CALLED = {
  code: 'tool_called',
  detail: 'The model called a tool while it wrote the document; check that nothing is missing',
}

/** What somebody should know who takes the document as it is. */
export function warningsOf(answer: ModelAnswer): HandoffRecord['warnings'] {
  return answer.stopReason === 'toolUse' ? [TOOL_CALLED] : []
}
