import { drizzle } from 'drizzle-orm/d1'
import type { Catalog } from '../core/ports.ts'
import type { AsyncDatabase } from '../db/catalog.ts'
import { createCatalog } from '../db/catalog.ts'

/** The catalog on D1. Its one transaction is `batch`: sequential, rolled back as a whole. */
export function createD1Catalog(binding: D1Database): Catalog {
  const db = drizzle(binding)
  return createCatalog(db as unknown as AsyncDatabase, async (statements) => {
    await db.batch(statements as unknown as Parameters<typeof db.batch>[0])
  })
}
