import type { InputBlock, ToolCallBlock, ToolResultMessage } from '../entry.ts'
import type { ServerTool, ToolOutput } from './server-tool.ts'

/**
 * Runs one call to its end and makes its result: too late, aborted or thrown is an error result in words for the model.
 * Never rejects; a tool that ignores its signal is left behind.
 */
export async function runTool(
  tool: ServerTool,
  block: ToolCallBlock,
  of: {
    readonly tenant: string
    readonly session: string
    readonly signal: AbortSignal
    now(): number
  },
): Promise<ToolResultMessage> {
  const { tenant, session, signal } = of
  const controller = new AbortController()
  const call = { id: block.id, tenant, session, signal: controller.signal }
  const output = await settle(tool, { call, args: block.arguments, controller, signal })
  return {
    role: 'toolResult',
    toolCallId: block.id,
    toolName: block.name,
    content: output.ok
      ? limit(output.content, tool.maxOutput)
      : [{ type: 'text', text: cut(output.why, tool.maxOutput) }],
    isError: !output.ok,
    timestamp: of.now(),
  }
}

function settle(
  tool: ServerTool,
  of: {
    readonly call: Parameters<ServerTool['run']>[1]
    readonly args: unknown
    readonly controller: AbortController
    readonly signal: AbortSignal
  },
): Promise<ToolOutput> {
  const { call, args, controller, signal } = of
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => end({ ok: false, why: `The tool did not answer within ${tool.timeoutMs} ms` }),
      tool.timeoutMs,
    )
    const aborted = (): void => end({ ok: false, why: 'The call was aborted' })
    function end(output: ToolOutput): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', aborted)
      resolve(output)
      if (!output.ok) controller.abort()
    }
    if (signal.aborted) return aborted()
    signal.addEventListener('abort', aborted, { once: true })
    // In a promise of its own: what a tool throws at once is its failure too.
    Promise.resolve()
      .then(() => tool.run(args, call))
      .then(end, (thrown: unknown) => end({ ok: false, why: words(thrown) }))
  })
}

function words(thrown: unknown): string {
  const said = thrown instanceof Error ? thrown.message : String(thrown)
  return said === '' ? 'The tool failed' : `The tool failed: ${said}`
}

function limit(content: readonly InputBlock[], most: number): readonly InputBlock[] {
  let left = most
  return content.map((block) => {
    if (block.type !== 'text') return block
    const text = cut(block.text, left)
    left = Math.max(0, left - block.text.length)
    return { ...block, text }
  })
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed()
  return `${text.slice(0, most).toWellFormed()}\n[${text.length - most} more characters were cut off]`
}
