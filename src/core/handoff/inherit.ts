import type { SessionConfig } from '../ports.ts'

const SUFFIX = ' (continued)'
const MAX_TITLE = 500

/**
 * What a child is born with (S8): model, thinking level, system prompt, tools and settings of its parent, and a
 * title of its own. The mode stays behind: it belongs to the old session's moment.
 */
export function inheritConfig(parent: SessionConfig): SessionConfig {
  return { ...parent, mode: 'none', title: childTitle(parent.title) }
}

function childTitle(title: string | null): string | null {
  if (title === null || title.endsWith(SUFFIX)) return title
  return `${[...title].slice(0, MAX_TITLE - SUFFIX.length).join('')}${SUFFIX}`
}
