import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'

/** What a vendor's own client makes of an answer at that address. */
export interface ClientRead {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
  /** tokens the model wrote, thinking included; null when the client is not told */
  readonly output: number | null
}

const ASK = { model: 'm', stream: true } as const

/** OpenAI's client, chunk by chunk. */
export async function readCompletions(origin: string): Promise<ClientRead> {
  const client = new OpenAI({ apiKey: 'k', baseURL: origin, maxRetries: 0 })
  let text = ''
  let output: number | null = null
  const calls: { name: string; json: string }[] = []
  const messages = [{ role: 'user' as const, content: 'hi' }]
  for await (const { choices, usage } of await client.chat.completions.create({
    ...ASK,
    messages,
  })) {
    output = usage?.completion_tokens ?? output
    text += choices[0]?.delta?.content ?? ''
    for (const part of choices[0]?.delta?.tool_calls ?? []) {
      const call = (calls[part.index] ??= { name: '', json: '' })
      call.name ||= part.function?.name ?? ''
      call.json += part.function?.arguments ?? ''
    }
  }
  return {
    text,
    output,
    calls: calls.map(({ name, json }) => ({ name, arguments: JSON.parse(json) })),
  }
}

/** OpenAI's client for Responses, by its last event. */
export async function readResponses(origin: string): Promise<ClientRead> {
  const client = new OpenAI({ apiKey: 'k', baseURL: origin, maxRetries: 0 })
  let text = ''
  let output: number | null = null
  const calls: { name: string; arguments: unknown }[] = []
  for await (const event of await client.responses.create({ ...ASK, input: 'hi' })) {
    if (event.type !== 'response.completed' && event.type !== 'response.incomplete') continue
    output = event.response.usage?.output_tokens ?? null
    for (const item of event.response.output) {
      if (item.type === 'function_call') {
        calls.push({ name: item.name, arguments: JSON.parse(item.arguments) })
      }
      if (item.type !== 'message') continue
      for (const part of item.content) if (part.type === 'output_text') text += part.text
    }
  }
  return { text, output, calls }
}

/** Anthropic's client, which puts the message together itself. */
export async function readAnthropic(origin: string): Promise<ClientRead> {
  const client = new Anthropic({ apiKey: 'k', baseURL: origin, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'hi' }]
  const whole = await client.messages.stream({ model: 'm', max_tokens: 9, messages }).finalMessage()
  const texts = whole.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const calls = whole.content.flatMap((block) =>
    block.type === 'tool_use' ? [{ name: block.name, arguments: block.input }] : [],
  )
  return { text: texts.join(''), output: whole.usage.output_tokens, calls }
}

/** Google's client, chunk by chunk. */
export async function readGoogle(origin: string): Promise<ClientRead> {
  const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: origin } })
  let text = ''
  let output: number | null = null
  const calls: { name: string; arguments: unknown }[] = []
  for await (const { candidates, usageMetadata } of await client.models.generateContentStream({
    model: 'm',
    contents: 'hi',
  })) {
    for (const part of candidates?.[0]?.content?.parts ?? []) {
      if (part.text !== undefined && part.thought !== true) text += part.text
      const call = part.functionCall
      if (call !== undefined) calls.push({ name: call.name ?? '', arguments: call.args ?? {} })
    }
    const { candidatesTokenCount: said, thoughtsTokenCount: thought } = usageMetadata ?? {}
    if (said !== undefined) output = said + (thought ?? 0)
  }
  return { text, output, calls }
}
