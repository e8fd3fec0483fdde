import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RunnerError } from './errors.ts'
import { readOptions } from './options.ts'

const url = ['--url', '127.0.0.1:8081']

describe('the options of a runner', () => {
  test('say what runs here, and where the container engine is; a flag wins over the environment', () => {
    const environment = { DOCKER_HOST: 'unix:///docker.sock', SIGNALBOX_RUNNER_CONTAINER_NETWORK: 'ci' }
    const options = readOptions([...url, '--executors', 'container, host', '--workspace-idle', '60'], environment)
    assert.deepEqual(options.executors, ['host', 'container'])
    assert.deepEqual([options.containerHost, options.containerNetwork], ['unix:///docker.sock', 'ci'])
    assert.equal(options.workspaceIdleSeconds, 60)
    const flags = [...url, '--container-host', 'none', '--container-network', 'host', '--container-patience', '5']
    const other = readOptions(flags, environment)
    assert.deepEqual([other.containerHost, other.containerNetwork, other.containerPatienceSeconds], ['none', 'host', 5])
    const plain = readOptions(url, { DOCKER_HOST: '' })
    assert.deepEqual([plain.executors, plain.containerHost, plain.containerNetwork], [undefined, undefined, undefined])
  })

  test('that mean nothing are refused with what they may be', () => {
    const reading =
      (...flags: string[]) =>
      () =>
        readOptions([...url, ...flags], {})
    assert.throws(reading('--executors', 'pod'), /--executors must be host, container or host,container/)
    assert.throws(reading('--executors', 'host,host'), RunnerError)
    assert.throws(reading('--container-patience', '0'), /--container-patience must be a whole number/)
  })
})
