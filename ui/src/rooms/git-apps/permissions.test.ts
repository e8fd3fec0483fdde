import { expect, test } from 'vitest'
import { permissionRows } from './permissions.ts'

test('what is missing stands first; who may write may read; what nobody needs is shown, too', () => {
  const rows = permissionRows({
    metadata: 'read',
    contents: 'write',
    pull_requests: 'read',
    checks: 'write',
    statuses: 'write',
    issues: 'read',
    emails: 'read',
  })
  expect(rows.filter(({ isMissing }) => isMissing).map(({ permission }) => permission)).toEqual([
    'pull_requests',
    'merge_queues',
  ])
  expect(rows[0]).toMatchObject({ permission: 'pull_requests', needed: 'write', given: 'read' })
  expect(rows.at(-1)).toEqual({
    permission: 'emails',
    needed: null,
    given: 'read',
    feature: 'nothing that this version does',
    isMissing: false,
  })
})
