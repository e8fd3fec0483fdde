import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RunnerError } from './errors.ts'
import { readOptions } from './options.ts'

const url = ['--url', '127.0.0.1:8081']

describe('the options of a runner', () => {
  test('say what runs here, and where the container engine is; a flag wins over the environment', () => {
    const environment = { DOCKER_HOST: 'unix:///docker.sock', SIGNALBOX_RUNNER_CONTAINER_NETWORK: 'ci' }
    const options = readOptions([...url, '--executors', 'container, host'], environment)
    assert.deepEqual(options.executors, ['host', 'container'])
    assert.deepEqual([options.containerHost, options.containerNetwork], ['unix:///docker.sock', 'ci'])
    const flags = [...url, '--container-host', 'none', '--container-network', 'host', '--container-patience', '5']
    const other = readOptions(flags, environment)
    assert.deepEqual([other.containerHost, other.containerNetwork, other.containerPatienceSeconds], ['none', 'host', 5])
    const plain = readOptions(url, { DOCKER_HOST: '' })
    assert.deepEqual([plain.executors, plain.containerHost, plain.containerNetwork], [undefined, undefined, undefined])
  })

  test('say which images tasks may have here', () => {
    const options = readOptions([...url, '--registries', 'ghcr.io,localhost', '--pull-policies', 'missing,always'], {})
    assert.deepEqual([options.registries?.text, options.pullPolicies], ['ghcr.io, localhost', ['missing', 'always']])
  })

  test('say what containers may use, and in which time zone tasks live', () => {
    const flags = ['--task-memory-mb', '2048', '--containers-memory-mb', '4096', '--task-timezone', 'Europe/Berlin']
    const options = readOptions([...url, ...flags], {})
    assert.deepEqual([options.taskCeiling?.memoryMb, options.containersMemoryMb], [2048, 4096])
    assert.ok((options.taskCeiling?.cpus ?? 0) > 0 && (options.taskCeiling?.pids ?? 0) > 0)
    assert.equal(options.taskTimezone, 'Europe/Berlin')
    assert.deepEqual(readOptions([...url, '--container-dns', '10.0.0.2, ::1'], {}).containerDns, ['10.0.0.2', '::1'])
    assert.equal(readOptions(url, {}).taskCeiling, undefined)
  })

  test('that mean nothing are refused with what they may be', () => {
    const reading =
      (...flags: string[]) =>
      () =>
        readOptions([...url, ...flags], {})
    assert.throws(reading('--executors', 'pod'), /--executors must be host, container or host,container/)
    assert.throws(reading('--executors', 'host,host'), RunnerError)
    assert.throws(reading('--registries', 'ghcr.io/../x'), /--registries: "ghcr\.io\/\.\.\/x" must be a registry/)
    assert.throws(
      reading('--pull-policies', 'missing,often'),
      /--pull-policies must be some of always, missing and never/,
    )
    assert.throws(reading('--task-timezone', 'Middle/Earth'), /--task-timezone must be a time zone such as/)
    assert.throws(reading('--container-dns', '10.0.0.2,dns.example'), /--container-dns must be addresses such as/)
    assert.throws(reading('--task-cpus', '0'), /--task-cpus must be a whole number/)
    assert.throws(reading('--container-patience', '0'), /--container-patience must be a whole number/)
  })
})
