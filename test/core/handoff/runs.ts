import { createEventLog } from '../../../src/core/session/event-log.ts'
import { createModelMemory } from '../../../src/core/providers/model-memory.ts'
import { messageEntry, sessionMeta } from '../../conformance/material.ts'
import type { FakeProvider } from '../../support/fake-provider.ts'
import { startHandoff } from '../../../src/core/handoff/machine.ts'
import type { HandoffInput, HandoffRecord } from '../../../src/core/handoff/machine.ts'
import type { HandoffRunPorts } from '../../../src/core/handoff/run.ts'
import { runHandoff } from '../../../src/core/handoff/run.ts'
import { stream } from '../../../src/core/providers/select.ts'
import type { Journal } from '../../../src/core/ports.ts'
import type { Model, ModelRequest } from '../../../src/core/providers/types.ts'
import type { LogEvent } from '../../../src/core/session/ports.ts'
import { openDatabase } from '../../../src/deno/database.ts'
import { MODEL } from '../providers/model.ts'

/** A session with two messages and a handoff that just began, over real stores and a real wire. */
export function setUp(
  provider: FakeProvider,
  id: string,
  input: Partial<HandoffInput> = {},
  change: Partial<HandoffRunPorts> = {},
) {
  const database = openDatabase(':memory:')
  const kept = database.journal('tenant-a:session-a')
  const changes: HandoffRecord['status'][] = []
  const journal: Journal = {
    ...kept,
    putHandoff(record) {
      kept.putHandoff(record)
      changes.push(record.status)
    },
  }
  const entries = [
    messageEntry('one', 'first'),
    { ...messageEntry('two', 'second'), parentId: 'one' },
  ]
  journal.append(entries)
  const meta = sessionMeta({ leafId: 'two', messageCount: 2 })
  journal.putMeta({ ...meta, config: { ...meta.config, systemPrompt: ['Base prompt'] } })
  kept.putHandoff(
    startHandoff({
      id: 'handoff-a',
      session: 'session-a',
      tenant: 'tenant-a',
      childId: 'session-child',
      entryId: 'entry-child',
      startedAt: 3_000,
      focus: null,
      model: `fake/${id}`,
      thinkingLevel: null,
      trigger: 'manual',
      ...input,
    }),
  )
  const log: LogEvent[] = []
  const received: number[] = []
  const asked: ModelRequest[] = []
  let ids = 0
  const ports: HandoffRunPorts = {
    tenant: 'tenant-a',
    id: 'session-a',
    journal,
    catalog: database.catalog,
    resolveModel: () => null,
    defaultModel: null,
    // Sees what the wire does not carry.
    stream: (request, io) => {
      asked.push(request)
      return stream(request, io)
    },
    retry: { random: () => 1, sleep: async () => undefined },
    memory: createModelMemory(),
    alarm: { set: () => undefined },
    discard: async () => undefined,
    keepAlive: () => undefined,
    now: () => 5_000,
    newId: () => `id-${(ids += 1)}`,
    hooks: {},
    tools: new Map(),
    open: () => {
      throw new Error('There is no other session')
    },
    events: createEventLog({ journal }),
    log: (event) => void log.push(event),
    onReceived: (chars) => void received.push(chars),
    ...change,
  }
  const model: Model = { ...MODEL, id, baseUrl: `http://127.0.0.1:${provider.port}/v1` }
  return {
    ports,
    model,
    log,
    changes,
    received,
    asked,
    run: (signal = new AbortController().signal, asking: Model | null = model, over = ports) =>
      runHandoff(over, 'handoff-a', { model: asking, signal }),
    child: () => database.catalog.birth('tenant-a', 'session-child'),
  }
}
