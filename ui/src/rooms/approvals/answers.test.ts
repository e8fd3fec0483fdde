import { expect, test } from 'vitest'
import { answersOf, firstAnswers, missingFields } from './answers.ts'
import type { ApprovalField } from './approval-request.ts'

const field = (name: string, more: Partial<ApprovalField>): ApprovalField => ({
  name,
  type: 'text',
  required: false,
  options: [],
  default: null,
  description: null,
  ...more,
})
const FIELDS = [
  field('ticket', { required: true }),
  field('region', { type: 'choice', options: ['eu', 'us'], default: 'eu' }),
  field('loud', { type: 'boolean' }),
]

test('begins with the defaults', () => {
  expect(firstAnswers(FIELDS)).toEqual({ ticket: '', region: 'eu', loud: 'false' })
})

test('names what must be filled in, and sends only what is', () => {
  const answers = firstAnswers(FIELDS)
  expect(missingFields(FIELDS, answers)).toEqual(['ticket'])
  expect(missingFields(FIELDS, { ...answers, ticket: 'OPS-1' })).toEqual([])
  expect(answersOf(answers)).toEqual({ region: 'eu', loud: 'false' })
})
