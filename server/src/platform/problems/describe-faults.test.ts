import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFaults } from './index.ts'

test('a sentence names everything that is wrong', () => {
  const faults = [
    { field: 'team_path', message: 'there is no team acme' },
    { field: 'scope', message: 'You may not use it.' },
  ]
  assert.equal(describeFaults(faults), 'team_path: there is no team acme; scope: You may not use it.')
})
