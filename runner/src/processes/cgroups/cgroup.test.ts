import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOwnCgroup } from './cgroup.ts'

const line = (root: string, place: string, type = 'cgroup2') =>
  `31 23 0:28 ${root} ${place} rw shared:4 - ${type} none rw`

test('the folder of the own cgroup is found wherever cgroup v2 is mounted', () => {
  const whole = line('/', '/sys/fs/cgroup')
  assert.equal(findOwnCgroup(whole, '0::/system.slice/a.service\n'), '/sys/fs/cgroup/system.slice/a.service')
  assert.equal(findOwnCgroup(whole, '0::/\n'), '/sys/fs/cgroup/')
  const hybrid = [line('/', '/sys/fs/cgroup', 'tmpfs'), line('/', '/sys/fs/cgroup/unified')].join('\n')
  assert.equal(findOwnCgroup(hybrid, '1:cpu:/b\n0::/a\n'), '/sys/fs/cgroup/unified/a')
  assert.equal(findOwnCgroup(line('/box', '/sys/fs/cgroup'), '0::/box/a\n'), '/sys/fs/cgroup/a')
})

test('without cgroup v2, or outside of what is mounted, there is none', () => {
  assert.equal(findOwnCgroup(line('/', '/sys/fs/cgroup', 'cgroup'), '1:cpu:/\n'), undefined)
  assert.equal(findOwnCgroup(line('/', '/sys/fs/cgroup', 'cgroup'), '0::/\n'), undefined)
  assert.equal(findOwnCgroup(line('/box', '/sys/fs/cgroup'), '0::/boxes/a\n'), undefined)
})
