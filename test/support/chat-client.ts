/** A chat of the AI SDK without a page: the real client of each release over the real transport. */

export interface ShownPart {
  readonly type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- parts of five releases, taken apart by assertions
  readonly [field: string]: any
}
export interface ShownMessage {
  readonly id: string
  readonly role: string
  readonly parts: readonly ShownPart[]
  readonly metadata?: unknown
}

export interface ChatClient {
  readonly status: string
  readonly error: Error | undefined
  readonly messages: readonly ShownMessage[]
  sendMessage(message?: { text: string } | { text: string; messageId: string }): Promise<void>
  regenerate(options?: { messageId?: string }): Promise<void>
  resumeStream(): Promise<void>
  stop(): Promise<void>
  addToolOutput?(output: { tool: string; toolCallId: string; output: unknown }): Promise<void>
  addToolResult?(output: { tool: string; toolCallId: string; output: unknown }): Promise<void>
}

/** What is used of a release; its types differ from the others'. */
export interface AiModule {
  readonly AbstractChat: unknown
  readonly DefaultChatTransport: unknown
  readonly lastAssistantMessageIsCompleteWithToolCalls: unknown
}

type Constructor = new (options: object) => ChatClient

let named = 0

/** A chat of this release, with the messages that a page would show first. */
export function createChat(
  release: AiModule,
  options: {
    readonly baseUrl: string
    readonly id: string
    readonly messages?: readonly ShownMessage[]
    readonly fetch?: typeof fetch
    readonly newestOnly?: boolean
    readonly body?: object
  },
): ChatClient {
  const { baseUrl, id, messages = [], newestOnly = false, body } = options
  const Transport = release.DefaultChatTransport as new (options: object) => object
  const AbstractChat = release.AbstractChat as Constructor
  class Chat extends AbstractChat {}
  const prepareSendMessagesRequest = (request: {
    id: string
    messages: readonly ShownMessage[]
    trigger: string
    messageId?: string
  }) => ({
    body: { id: request.id, message: request.messages.at(-1), trigger: request.trigger },
  })
  return new Chat({
    id,
    generateId: () => `message-${id}-${(named += 1)}`,
    sendAutomaticallyWhen: release.lastAssistantMessageIsCompleteWithToolCalls,
    transport: new Transport({
      api: `${baseUrl}/api/chat`,
      ...(body === undefined ? {} : { body }),
      ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
      ...(newestOnly ? { prepareSendMessagesRequest } : {}),
    }),
    state: createState(messages),
  })
}

/** What a framework's binding keeps. */
function createState(first: readonly ShownMessage[]) {
  return {
    status: 'ready',
    error: undefined,
    messages: structuredClone(first) as ShownMessage[],
    pushMessage(message: ShownMessage) {
      this.messages = [...this.messages, message]
    },
    popMessage() {
      this.messages = this.messages.slice(0, -1)
    },
    replaceMessage(index: number, message: ShownMessage) {
      this.messages = this.messages.with(index, structuredClone(message))
    },
    snapshot: <T>(value: T): T => structuredClone(value),
  }
}

/** All text of a message. */
export function textOf(message: ShownMessage | undefined): string {
  return (message?.parts ?? [])
    .flatMap((part) => (part.type === 'text' ? [String(part['text'])] : []))
    .join('')
}
