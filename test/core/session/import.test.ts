import { describe, expect, test } from 'vitest'
import {
  assistantLine,
  entry,
  header,
  slot,
  toFile,
  userLine,
} from '../../fixtures/session-files.ts'
import { CREATE, saying, setUp } from './live.ts'

const PROVIDERS = { PROVIDERS: '{"outline":{"api":"outline"},"other":{"api":"outline"}}' }

type Lines = Parameters<typeof toFile>[0]

async function importLines(lines: Lines, env: Readonly<Record<string, string>> = PROVIDERS) {
  const session = setUp().live({}, saying('DOC'), env)
  const file = new Blob([toFile(lines)]).stream()
  const answer = await session.importFile(file, { maxBytes: 1e6, key: null })
  if (!answer.ok) throw new Error(answer.error.detail)
  return answer.value
}

/** What an export says of its session, when the file still ends with that entry. */
function exported(leaf: string, more: object = {}) {
  const config = { model: 'other/m', thinkingLevel: null, systemPrompt: ['P'], mode: 'none' }
  return header({ title: 'T', baton: { ...config, tools: [], settings: { a: 1 }, leaf, ...more } })
}

const TALK = [userLine('a', null, 'one'), assistantLine('b', 'a', 'two')]
const LEVEL = entry('thinking_level_change', 'c', 'b', { thinkingLevel: 'high' })
const TITLE = entry('title_change', 'd', 'c', { title: 'Newer', source: 'user' })

describe('the configuration of an imported session', () => {
  test('entries tell model, level and title when nothing else does', async () => {
    const { session } = await importLines([header({ title: 'Older' }), ...TALK, LEVEL, TITLE])
    expect(session).toMatchObject({ model: 'outline/m-1', thinkingLevel: 'high', title: 'Newer' })
  })

  test('a title slot is kept up to date by its writer and wins over title changes', async () => {
    const { session } = await importLines([slot('Slot'), header(), ...TALK, LEVEL, TITLE])
    expect(session.title).toBe('Slot')
  })

  test('what an export said wins over its own older entries, null included', async () => {
    const { session } = await importLines([exported('d'), ...TALK, LEVEL, TITLE])
    expect(session).toMatchObject({ model: 'other/m', thinkingLevel: null, title: 'T' })
    expect(session).toMatchObject({ systemPrompt: ['P'], settings: { a: 1 } })
  })

  test('what somebody wrote on behind an export wins over it', async () => {
    const { session } = await importLines([exported('b'), ...TALK, LEVEL, TITLE])
    expect(session).toMatchObject({ model: 'outline/m-1', thinkingLevel: 'high', title: 'Newer' })
    expect(session.systemPrompt).toEqual(['P'])
  })

  test('no model stays no model', async () => {
    const none = exported('b', { model: null })
    expect((await importLines([none, ...TALK])).session.model).toBeNull()
    expect((await importLines([none, ...TALK, LEVEL])).session.model).toBe('outline/m-1')
  })

  test('a model that is not configured here is replaced by the default, and a warning says so', async () => {
    const { session, warnings } = await importLines([header(), ...TALK], {})
    expect(session.model).toBe('local/outline')
    expect(warnings).toEqual([
      {
        code: 'model_not_configured',
        detail:
          'The session used outline/m-1, which is not configured here; it goes on with local/outline',
      },
    ])
  })

  test('an export of a session gives the same configuration again', async () => {
    const { live } = setUp()
    const session = live({}, saying('DOC'), PROVIDERS)
    await session.create({
      ...CREATE,
      config: { ...CREATE.config, title: 'A', settings: { x: 1 } },
    })
    await session.update({ model: 'other/m', thinkingLevel: 'high', mode: 'vibe', title: 'B' })
    await session.update({ thinkingLevel: null, title: null })
    const before = await session.view()
    const file = await session.exportFile()
    if (!file.ok || !before.ok) throw new Error('not exported')
    const again = await setUp()
      .live({}, saying('DOC'), PROVIDERS)
      .importFile(file.value, { maxBytes: 1e6, key: null })
    if (!again.ok) throw new Error(again.error.detail)
    const { createdAt: _a, updatedAt: _b, ...one } = before.value
    const { createdAt: _c, updatedAt: _d, ...two } = again.value.session
    expect(two).toEqual(one)
  })
})
