import type { ModelResolver } from '../ports.ts'
import { BUILT_IN } from './built-in.ts'
import { listKnown } from './find-model.ts'
import { missingKey, readProviders } from './parse-config.ts'
import type { Model } from './types.ts'

/**
 * The models that this deployment can ask now: of every provider whose key is there, those that `PROVIDERS` lists and
 * those of the catalogue, and `also` (the default). Others may work too; no list of a vendor is ever complete.
 */
export function listModels(
  env: Readonly<Record<string, string | undefined>>,
  resolveModel: ModelResolver,
  also: string | null,
): readonly Model[] {
  const custom = readProviders(env['PROVIDERS'])
  const names = new Set<string>(also === null ? [] : [also])
  names.add('local/outline')
  for (const provider of new Set([...custom.keys(), ...Object.keys(BUILT_IN)])) {
    for (const { id } of custom.get(provider)?.models ?? []) names.add(`${provider}/${id}`)
    for (const { id } of listKnown(provider)) names.add(`${provider}/${id}`)
  }
  return [...names].flatMap((name) => {
    const model = resolveModel(name)
    return model === null || missingKey(model) ? [] : [model]
  })
}
