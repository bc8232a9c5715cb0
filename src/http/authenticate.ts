import { sha256Hex } from '../core/digest.ts'
import { BatonError } from '../core/errors.ts'
import type { HttpPorts } from './operation.ts'

/** The tenant of a request. Throws `unauthorized`, in the same words whatever is wrong with the key. */
export async function authenticate(request: Request, ports: HttpPorts): Promise<string> {
  if (ports.auth === 'none') return 'local'
  const match = /^Bearer +([\x21-\x7e]{16,512})$/i.exec(request.headers.get('authorization') ?? '')
  const key = match?.[1]
  const tenant = key === undefined ? null : await ports.catalog.tenantOfKey(await sha256Hex(key))
  if (tenant === null) {
    throw new BatonError('unauthorized', 'Send a valid API key as Authorization: Bearer <key>')
  }
  return tenant
}
