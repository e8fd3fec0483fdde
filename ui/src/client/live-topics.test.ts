import { expect, test } from 'vitest'
import { holds } from './holds.ts'
import { followable } from './live-topics.ts'

const viewer = { acme: ['run.read'], 'other/web': ['schedule.read'] }

test('a permission holds at its team and below, and nowhere beside it', () => {
  expect(holds(viewer, 'run.read', 'acme')).toBe(true)
  expect(holds(viewer, 'run.read', 'acme/web')).toBe(true)
  expect(holds(viewer, 'run.read', 'acmeother')).toBe(false)
  expect(holds(viewer, 'run.read', '/')).toBe(false)
  expect(holds({ '/': ['run.read'] }, 'run.read', 'acme')).toBe(true)
  expect(holds(viewer, 'run.read', undefined)).toBe(true)
  expect(holds(viewer, 'run.cancel', undefined)).toBe(false)
})

test('topics that would be refused are not asked for', () => {
  const topics = [
    'runs:acme/web',
    'runs:other',
    'runs:/',
    'runners',
    'approvals',
    'schedules:/',
    'run:1',
    'deliveries:2',
  ]
  expect(followable(topics, viewer)).toEqual([
    'runs:acme/web',
    'runs:/',
    'approvals',
    'schedules:/',
    'run:1',
    'deliveries:2',
  ])
  expect(followable(topics, undefined)).toEqual([])
})
