/** Errors in the envelopes of the wires, for tests. */

export function anthropic(type: string, message = 'x') {
  return { type: 'error', error: { type, message }, request_id: 'req_1' }
}

export function google(
  code: number,
  { status = 'RESOURCE_EXHAUSTED', message = 'x', details = [] as readonly unknown[] } = {},
) {
  return { error: { code, message, status, details } }
}

/** The Responses API's frame. */
export function responses(code: string | null) {
  return { type: 'error', code, message: 'x', param: null, sequence_number: 3 }
}

/** The Responses API's end of an answer that failed. */
export function failed(error: unknown) {
  return { type: 'response.failed', response: { id: 'resp_1', status: 'failed', error } }
}

/** OpenRouter, around what somebody else said. */
export function routed(raw: unknown, code: number | null = 400) {
  return {
    error: {
      message: 'Provider returned error',
      code,
      metadata: { raw: typeof raw === 'string' ? raw : JSON.stringify(raw), provider_name: 'x' },
    },
  }
}
