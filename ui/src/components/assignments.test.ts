import { expect, test } from 'vitest'
import { readAssignments, writeAssignments } from './assignments.ts'

test('each line is a name and its value, which may hold further signs', () => {
  expect(readAssignments(' A =1=2\n\nB=\n  \nC\nD= kept ')).toEqual({ A: '1=2', B: '', C: '', D: ' kept ' })
})

test('what was written reads back as it was', () => {
  const values = { A: '1=2', B: '', C: ' kept ' }
  expect(readAssignments(writeAssignments(values))).toEqual(values)
})
