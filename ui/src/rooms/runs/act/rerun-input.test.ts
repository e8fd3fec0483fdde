import { expect, test } from 'vitest'
import { rerunBody, setVariable } from './rerun-input.ts'

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

test('a variable that the run did not have is sent, and not once it is left out', () => {
  const choice = { mode: 'whole', step: null, document: 'newest' } as const
  const added = setVariable({ A: '1' }, 'B', '')
  expect(rerunBody({ ...choice, variables: added }, { A: '1' })).toMatchObject({ variables: { B: '' } })
  expect(rerunBody({ ...choice, variables: setVariable(added, 'B', undefined) }, { A: '1' })).toEqual({
    mode: 'whole',
    document: 'newest',
  })
})
