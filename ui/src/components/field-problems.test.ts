import { expect, test } from 'vitest'
import { ApiProblem } from '../client/problem.ts'
import { fieldError, toldBeside } from './field-problems.ts'

function problem(
  detail: string,
  ...errors: readonly { readonly field: string; readonly message: string }[]
): ApiProblem {
  return new ApiProblem(400, { code: 'invalid_request', detail, errors })
}

test('what a marked field says is not said again', () => {
  const told = toldBeside(problem('name must not be empty.', { field: 'name', message: 'must not be empty' }), ['name'])
  expect(told).toEqual({ sentence: 'Nothing is saved. Correct the marked field, then try again.', fields: [] })
})

test('a sentence of its own stays, and so does a field without a mark', () => {
  const scope = { field: 'scope', message: 'is unknown' }
  const hidden = { field: 'commands', message: 'must be a list' }
  expect(toldBeside(problem('The document is not valid.', scope, hidden), ['scope'])).toEqual({
    sentence: 'The document is not valid.',
    fields: [hidden],
  })
})

test('a field without a mark that the sentence names stands there once', () => {
  const told = toldBeside(problem('commands must be a list.', { field: 'commands', message: 'must be a list' }), [])
  expect(told).toEqual({ sentence: 'commands must be a list.', fields: [] })
})

test('an error that is no problem of the API keeps its words', () => {
  expect(toldBeside(new Error('Away.'), ['name'])).toEqual({ sentence: 'Away.', fields: [] })
})

test('a part of a field is marked at the field, by its number or name', () => {
  const wrong = problem(
    'labels.1 is not of the right form.',
    { field: 'labels.1', message: 'is not of the right form' },
    { field: 'variables.STAGE', message: 'is unknown' },
    { field: 'labelled', message: 'is another field' },
  )
  expect(fieldError(wrong, 'labels')).toBe('Number 2 is not of the right form')
  expect(fieldError(wrong, 'variables')).toBe('STAGE is unknown')
  expect(fieldError(wrong, 'name')).toBeUndefined()
  expect(toldBeside(wrong, ['labels', 'variables']).fields).toEqual([
    { field: 'labelled', message: 'is another field' },
  ])
})
