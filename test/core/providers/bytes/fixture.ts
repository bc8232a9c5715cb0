/** A body of a streamed answer, byte for byte, and what it says. */
export interface Fixture {
  readonly name: string
  readonly bytes: Uint8Array
  /** the vendor's own client can read it too */
  readonly good: boolean
  readonly text: string
  readonly thinking?: string
  /** what has to go back with the thought */
  readonly signature?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[]
  readonly stopReason?: string
  readonly usage?: {
    readonly input: number
    readonly output: number
    readonly cacheRead?: number
    readonly cacheWrite?: number
    readonly reasoning?: number
  }
}

/** A body that must end as an error of that class. */
export interface BadFixture {
  readonly name: string
  readonly bytes: Uint8Array
  readonly class: string
}

/** A text as bytes. */
export function raw(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** An event stream of these, each as JSON behind `field` unless it is a text already, with `end` after it. */
export function lines(
  events: readonly (object | string)[],
  end = '\n\n',
  field = 'data: ',
): Uint8Array {
  return raw(
    events
      .map((event) => (typeof event === 'string' ? event : `${field}${JSON.stringify(event)}`))
      .map((event) => `${event}${end}`)
      .join(''),
  )
}

/** As `lines`, each event with its type as its name, as Anthropic and OpenAI write them. */
export function named(events: readonly { readonly type: string }[], end = '\n'): Uint8Array {
  return raw(
    events
      .map((event) => `event: ${event.type}${end}data: ${JSON.stringify(event)}${end}${end}`)
      .join(''),
  )
}
