import type { Catalog } from '../core/ports.ts'
import type { SessionView } from '../core/session/handle.ts'
import { toSessionView } from '../core/session/view.ts'

const MAX_ANCESTORS = 1_000
const MAX_DESCENDANTS = 1_000

export interface Lineage {
  readonly ancestors: readonly SessionView[]
  readonly descendants: readonly SessionView[]
}

/** The family of a session, nearest first on both sides. A cycle or a deleted member ends that line. */
export async function readLineage(
  catalog: Catalog,
  tenant: string,
  self: SessionView,
): Promise<Lineage> {
  const [ancestors, descendants] = await Promise.all([
    readAncestors(catalog, tenant, self),
    readDescendants(catalog, tenant, self),
  ])
  return { ancestors, descendants }
}

async function readAncestors(
  catalog: Catalog,
  tenant: string,
  self: SessionView,
): Promise<readonly SessionView[]> {
  const seen = new Set([self.id])
  const found: SessionView[] = []
  let next = self.parentSession
  while (next !== null && !seen.has(next) && found.length < MAX_ANCESTORS) {
    seen.add(next)
    const meta = await catalog.session(tenant, next)
    if (meta === null) break
    found.push(toSessionView(meta, meta.status))
    next = meta.parentSession
  }
  return found
}

/** One generation after the other; those of one generation are asked for together. */
async function readDescendants(
  catalog: Catalog,
  tenant: string,
  self: SessionView,
): Promise<readonly SessionView[]> {
  const seen = new Set([self.id])
  const found: SessionView[] = []
  let generation: readonly string[] = [self.id]
  while (generation.length > 0 && found.length < MAX_DESCENDANTS) {
    const families = await Promise.all(generation.map((id) => catalog.children(tenant, id)))
    const born = families.flat().filter((meta) => !seen.has(meta.id))
    for (const meta of born) seen.add(meta.id)
    found.push(...born.map((meta) => toSessionView(meta, meta.status)))
    generation = born.map((meta) => meta.id)
  }
  return found.slice(0, MAX_DESCENDANTS)
}
