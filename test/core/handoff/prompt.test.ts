import { expect, test } from 'vitest'
import { createHandoffPrompt } from '../../../src/core/handoff/prompt.ts'

function textOf(focus: string | null): string {
  const { content } = createHandoffPrompt(focus)
  const [block] = content as readonly { readonly text: string }[]
  return block?.text ?? ''
}

test('it is one text block of the user’s, attributed to the agent (Q2)', () => {
  expect(createHandoffPrompt(null)).toEqual({
    role: 'user',
    attribution: 'agent',
    content: [{ type: 'text', text: expect.any(String) }],
  })
})

test('the headings are demanded in their order, with their kinds of list (Q4)', () => {
  const text = textOf(null)
  expect(text.match(/^#{2,3} .*$/gm)).toEqual([
    '## Goal',
    '## Constraints & Preferences',
    '## Progress',
    '### Done',
    '### In Progress',
    '### Pending',
    '## Key Decisions',
    '## Critical Context',
    '## Next Steps',
  ])
  const under = (heading: string) => text.split(`${heading}\n`)[1]?.split('\n')[0]
  expect(under('### Done')).toMatch(/^- \[x\] /)
  expect(under('### In Progress')).toMatch(/^- \[ \] /)
  expect(under('### Pending')).toMatch(/^- \[ \] /)
  expect(under('## Next Steps')).toMatch(/^1\. /)
})

test('the focus stands at the end as it was given; none or an empty one leaves the prompt bare (Q3)', () => {
  const focus = 'the <orders> & "tests"\n$& ${x} {{focus}} </handoff-context>'
  expect(textOf(focus)).toBe(`${textOf(null)}\n\nAdditional focus: ${focus}`)
  expect(textOf('')).toBe(textOf(null))
  expect(textOf(null)).not.toContain('focus')
})
