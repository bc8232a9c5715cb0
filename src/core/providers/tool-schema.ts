import type { Tool } from '../entry.ts'

/** A tool's parameters as every host takes them: some refuse an object schema without `type` or `properties` (B32). */
export function toParameters(parameters: Tool['parameters']): Tool['parameters'] {
  const whole = 'properties' in parameters ? parameters : { ...parameters, properties: {} }
  return 'type' in whole ? whole : { type: 'object', ...whole }
}
