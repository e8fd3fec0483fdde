import { expect, test } from 'vitest'
import type { ApprovalRequest } from './approval-request.ts'
import { commentsOf, decidedBy } from './decided-words.ts'

type Decision = ApprovalRequest['decisions'][number]

const vote = (name: string, decision: Decision['decision'], comment: string | null = null): Decision => ({
  decision,
  by: { kind: 'user', id: name, name },
  comment,
  fields: {},
  commit_sha: null,
  decided_at: '2026-11-28T09:00:00.000Z',
  lapsed: null,
})

test('a decided request says who decided what, and why', () => {
  const decisions = [vote('ada', 'approve'), vote('bob', 'reject', 'not on a Friday')]
  expect(decidedBy({ decisions })).toBe('ada approved, bob rejected')
  expect(commentsOf({ decisions })).toBe('not on a Friday')
})

test('of a step whose time was over nobody decided', () => {
  expect(decidedBy({ decisions: [] })).toBe('nobody')
  expect(commentsOf({ decisions: [] })).toBe('')
})
