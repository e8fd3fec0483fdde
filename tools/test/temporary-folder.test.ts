import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startsPrograms } from './temporary-folder.ts'

const root = '/dev/vda / ext4 rw,relatime 0 0'

test('a folder in memory is used where programs may start from it', () => {
  assert.equal(startsPrograms(`${root}\ntmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0\n`), true)
  assert.equal(startsPrograms(`${root}\nshm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime 0 0\n`), false)
  assert.equal(startsPrograms(`${root}\n`), false)
})
