import type { StoredEntry } from '../entry.ts'
import { writeFile } from '../transcript/write-file.ts'
import { HEADER_NOTE } from './import.ts'
import { requireMeta } from './ledger.ts'
import type { SessionPorts } from './ports.ts'
import { toIso } from './view.ts'

const PAGE = 200

/** The session as a version 3 file, read page by page as it is taken: what is appended meanwhile is in it. */
export function exportStream(ports: Pick<SessionPorts, 'journal'>): ReadableStream<Uint8Array> {
  const { journal } = ports
  const meta = requireMeta(ports)
  const header = journal.note(HEADER_NOTE)
  return writeFile({
    meta: {
      id: meta.id,
      timestamp: toIso(meta.createdAt),
      leaf: meta.leafId,
      parentSession: meta.parentSession,
      config: meta.config,
      imported: header === null ? null : (JSON.parse(header) as Record<string, unknown>),
    },
    pages: pages(journal),
  })
}

function* pages(journal: SessionPorts['journal']): Generator<readonly StoredEntry[], void, void> {
  let after = 0
  for (;;) {
    const page = journal.entries({ after, limit: PAGE })
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.seq
  }
}
