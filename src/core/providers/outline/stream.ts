import type { StreamFn } from '../types.ts'
export const streamOutline: StreamFn = async (request) => ({
  content: [{ type: 'text', text: `## Goal\n${request.context.messages.length} messages` }],
  stopReason: 'stop',
  usage: { input: null, output: null, cacheRead: null, cacheWrite: null },
})
