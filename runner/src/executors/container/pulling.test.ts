import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import type { RunnerUnderTest } from '../../testing/runner-under-test.ts'
import { startRunner, temporaryFolder } from '../../testing/runner-under-test.ts'
import { registryOf } from './images.ts'
import type { TestPodman } from './testing/podman.ts'
import { startPodman, withoutPodman } from './testing/podman.ts'
import type { TestRegistry } from './testing/registry.ts'
import { registryAccount, startRegistry } from './testing/registry.ts'

const { username: registryUsername, password: registryPassword } = registryAccount

test('the registry of an image is read as Docker reads it', () => {
  const registries = ['alpine', 'acme/web:1', 'ghcr.io/acme/web', 'localhost/tiny', 'registry:5000/x@sha256:ab'].map(
    registryOf,
  )
  assert.deepEqual(registries, ['docker.io', 'docker.io', 'ghcr.io', 'localhost', 'registry:5000'])
})

describe('an image that is not here', { skip: withoutPodman() }, () => {
  let registry: TestRegistry
  let podman: TestPodman
  let runner: RunnerUnderTest
  let image: string
  const folder = temporaryFolder()

  before(async () => {
    registry = await startRegistry()
    podman = await startPodman({ insecureRegistry: registry.host })
    podman.makeImage('localhost/tiny:1')
    const saved = join(folder.path, 'image')
    podman.run('save', '--format', 'oci-dir', '--output', saved, 'localhost/tiny:1')
    podman.run('image', 'rm', 'localhost/tiny:1')
    registry.serve(saved)
    image = `${registry.host}/acme/tiny`
    runner = await startRunner({ containerHost: podman.host, containerNetwork: 'none' })
  })
  after(async () => {
    await runner?.[Symbol.asyncDispose]()
    await podman?.[Symbol.asyncDispose]()
    await registry?.[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  test('is not pulled without the password of its registry, and the sentence says what to do', async () => {
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: 'true', container: { image } })
    const none = await gateway.finished(1n)
    assert.match(none.reason, /could not be pulled from 127\.0\.0\.1:\d+: .+ or give the task a registry_credential/)
    const wrong = { image, registryUsername, registryPassword: 'wrong-password' }
    gateway.assign({ fence: 2n, script: 'true', container: wrong })
    assert.match((await gateway.finished(2n)).reason, /whether the registry_credential of the task may read it\.$/)
    gateway.assign({ fence: 3n, script: 'true', container: { ...wrong, registryPassword, image: `${image}:none` } })
    assert.match((await gateway.finished(3n)).reason, /Check its name and its tag\.$/)
  })

  test('is not waited for when the task is canceled meanwhile', async () => {
    const { gateway } = runner
    registry.holdBack(true)
    gateway.assign({ fence: 4n, script: 'echo ran', container: { image, registryUsername, registryPassword } })
    await registry.heldBack()
    gateway.send({ case: 'cancel', value: { fence: 4n, reason: 'Canceled by ada.' } })
    const { result, reason } = await gateway.finished(4n)
    assert.deepEqual([result, reason], [Result.CANCELED, 'Canceled by ada.'])
    assert.deepEqual(gateway.texts(4n, 'stdout'), [])
    registry.holdBack(false)
  })

  test('is pulled with the password, which is masked; from then on it is here', async () => {
    const { gateway } = runner
    const container = { image, registryUsername, registryPassword }
    gateway.assign({ fence: 5n, script: `echo ran with ${registryPassword}`, container })
    assert.equal((await gateway.finished(5n)).reason, '')
    assert.deepEqual(gateway.texts(5n, 'stdout'), ['ran with ***'])
    const [pulling, pulled] = gateway.texts(5n, 'system')
    assert.equal(pulling, `Pulling ${image} from ${registry.host}.`)
    assert.match(
      pulled ?? '',
      /^Pulled .*tiny \(sha256:[0-9a-f]+\) in \d+ s\.$|^Pulled .*tiny \([0-9a-f]+\) in \d+ s\.$/,
    )
    gateway.assign({ fence: 6n, script: 'echo again', container: { image } })
    assert.equal((await gateway.finished(6n)).reason, '')
    assert.deepEqual(gateway.texts(6n), ['again'])
  })
})
