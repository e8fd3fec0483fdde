import { expect, test } from 'vitest'
import { rerunBody } from './rerun-input.ts'

test('a rerun names the variables that were edited, and a step only where it begins at one', () => {
  const choice = { step: 'build', document: 'pinned', variables: { A: '1', B: 'new', SECRET: 'typed' } } as const
  expect(rerunBody({ ...choice, mode: 'step' }, { A: '1', B: '2' })).toEqual({
    mode: 'step',
    step: 'build',
    document: 'pinned',
    variables: { B: 'new', SECRET: 'typed' },
  })
  expect(rerunBody({ ...choice, mode: 'whole', variables: { A: '1' } }, { A: '1' })).toEqual({
    mode: 'whole',
    document: 'pinned',
  })
})
