import type { Message } from '../../src/core/entry.ts'
import type { ModelRequest } from '../../src/core/providers/types.ts'
import type { AlignedWire } from '../support/alignment.ts'
import { ALIGNED_WIRES, handoffRequest, liveRequest } from '../support/alignment.ts'
import type { PromptBlock } from '../support/prompt-cache.ts'
import { promptOf, sharedPrefix } from '../support/prompt-cache.ts'
import { liveTurns, toolSession } from '../fixtures/tool-session.ts'

/**
 * What the alignment buys: the handoff's request on each wire against two other designs for the same transcript, by
 * the bytes of prompt that it shares with the last live turn and by what a simulated prompt cache then reads and
 * writes. Baton's must share all of them.
 */

const BATON = 'Baton'

/** Sends a request of that design after the live turns, and prints a line. */
function print(
  wire: AlignedWire,
  name: string,
  side: ModelRequest,
  turns: readonly ModelRequest[],
): void {
  const cache = wire.createCache()
  for (const turn of turns) cache.send(promptOf(JSON.parse(wire.encode(turn).body)))
  const live = promptOf(JSON.parse(wire.encode(turns.at(-1) ?? side).body))
  const prompt = promptOf(JSON.parse(wire.encode(side).body))
  const shared = sharedPrefix(textOf(live), textOf(prompt)) / textOf(live).length
  const { total, read, written } = cache.send(prompt)
  if (name === BATON && shared !== 1) process.exitCode = 1
  console.log(
    [
      wire.model.api.padEnd(21),
      name.padEnd(24),
      shared.toFixed(3).padStart(11),
      String(total).padStart(8),
      String(read).padStart(8),
      String(written).padStart(9),
      `${((100 * read) / total).toFixed(1)} %`.padStart(9),
    ].join(' '),
  )
}

export function benchAlignment(): void {
  console.log(
    '\nwire                  request                  shared/live   tokens   cached   written     share',
  )
  for (const wire of ALIGNED_WIRES) {
    const session = toolSession(wire.model, wire.signature)
    const turns = liveTurns(session).map((at) => liveRequest(wire.model, session.slice(0, at)))
    const aligned = handoffRequest(wire.model, session)
    print(wire, BATON, aligned, turns)
    print(wire, 'summariser prompt', summarise(aligned, session), turns)
    print(
      wire,
      'live prompt, no tools',
      { ...aligned, context: { ...aligned.context, tools: [] } },
      turns,
    )
  }
}

function textOf(prompt: readonly PromptBlock[]): string {
  return prompt.map(({ text }) => text).join('\n')
}

/** The usual design: a prompt of its own, the transcript as one text. */
function summarise(aligned: ModelRequest, session: readonly Message[]): ModelRequest {
  const content = `Summarise this conversation:\n\n${session.map((message) => JSON.stringify(message)).join('\n')}`
  return {
    ...aligned,
    context: {
      systemPrompt: ['You summarise conversations.'],
      tools: [],
      messages: [{ role: 'user', content }],
    },
    appended: [],
  }
}
