import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { AssignSchema, ServiceSchema } from '@signalbox/contracts/runner'
import { serviceSpec } from './specs.ts'

const limits = { cpus: 1, memoryMb: 64, pids: 32, shmMb: 16, tmpfsMb: { '/fast': 8 }, ulimits: { nofile: 512 } }

const configIn = (mode: string, dns: readonly string[]) =>
  serviceSpec(
    create(AssignSchema, {}),
    create(ServiceSchema, { name: 'db' }),
    { image: 'sha256:1', limits },
    { network: { mode, names: [], dns }, runner: { runnerId: 'r', start: 's' }, init: true },
  ).HostConfig

test('a container asks the name servers of the runner, unless its network is not its own', () => {
  assert.deepEqual(configIn('bridge', ['10.0.0.2'])['Dns'], ['10.0.0.2'])
  for (const mode of ['none', 'host', 'container:1']) assert.equal(configIn(mode, ['10.0.0.2'])['Dns'], undefined, mode)
  assert.equal(configIn('bridge', [])['Dns'], undefined)
})

test('a service has every limit', () => {
  const { NanoCpus, Memory, MemorySwap, PidsLimit, ShmSize, Tmpfs, Ulimits } = configIn('none', [])
  assert.deepEqual(
    [NanoCpus, Memory, MemorySwap, PidsLimit, ShmSize],
    [1e9, 64 * 2 ** 20, 64 * 2 ** 20, 32, 16 * 2 ** 20],
  )
  assert.deepEqual([Tmpfs, Ulimits], [{ '/fast': 'rw,mode=1777,size=8m' }, [{ Name: 'nofile', Soft: 512, Hard: 512 }]])
})
