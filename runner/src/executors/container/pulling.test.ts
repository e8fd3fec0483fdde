import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import type { Assignment } from '../../testing/gateway.ts'
import type { RunnerUnderTest } from '../../testing/runner-under-test.ts'
import { startRunner, temporaryFolder } from '../../testing/runner-under-test.ts'
import type { TestPodman } from './testing/podman.ts'
import { startPodman, withoutPodman } from './testing/podman.ts'
import type { TestRegistry } from './testing/registry.ts'
import { makeServedImage, registryAccount, startRegistry } from './testing/registry.ts'

describe('an image of a registry', { skip: withoutPodman() }, () => {
  let registry: TestRegistry
  let podman: TestPodman
  let runner: RunnerUnderTest
  let image: string
  let newer: string
  let registryLogins: { registry: string; username: string; password: string }[]
  let wrongLogins: typeof registryLogins
  const folder = temporaryFolder()

  before(async () => {
    registry = await startRegistry()
    podman = await startPodman({ insecureRegistries: [registry.host] })
    registry.serve(makeServedImage(podman, folder.path, 'tiny'))
    newer = makeServedImage(podman, folder.path, 'newer', 'ENV MOVED=moved')
    image = `${registry.host}/acme/tiny`
    registryLogins = [{ registry: registry.host, ...registryAccount }]
    wrongLogins = registryLogins.map((login) => ({ ...login, password: 'wrong-password' }))
    runner = await startRunner({ containerHost: podman.host, containerNetwork: 'none' })
    await runner.gateway.connectedEngine()
  })
  after(async () => {
    await runner?.[Symbol.asyncDispose]()
    await podman?.[Symbol.asyncDispose]()
    await registry?.[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  /** The sentence, what it wrote and what the runner said of a task in a run of its own. */
  const run = async (fence: bigint, container: NonNullable<Assignment['container']>, runId = `run-${fence}`) => {
    const { gateway } = runner
    gateway.assign({ fence, runId, script: 'echo "ran $MOVED"', container })
    const { reason } = await gateway.finished(fence)
    return { reason, stdout: gateway.texts(fence, 'stdout'), said: gateway.texts(fence, 'system') }
  }
  const ran = { reason: '', stdout: ['ran '], said: [] }

  test('is not pulled without the password of its registry, and the sentence says what to do', async () => {
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: 'true', container: { image } })
    const none = await gateway.finished(1n)
    assert.match(
      none.reason,
      /could not be pulled from 127\.0\.0\.1:\d+: .+ or give the task a registry_credential for 127/,
    )
    const wrong = { image, registryLogins: wrongLogins }
    gateway.assign({ fence: 2n, script: 'true', container: wrong })
    assert.match(
      (await gateway.finished(2n)).reason,
      /whether the registry_credential of the task for 127\.0\.0\.1:\d+ may read it\.$/,
    )
    gateway.assign({ fence: 3n, script: 'true', container: { registryLogins, image: `${image}:none` } })
    assert.match((await gateway.finished(3n)).reason, /Check its name and its tag\.$/)
  })

  test('is not waited for when the task is canceled meanwhile', async () => {
    const { gateway } = runner
    registry.holdBack(true)
    gateway.assign({ fence: 4n, script: 'echo ran', container: { image, registryLogins } })
    await registry.heldBack()
    gateway.send({ case: 'cancel', value: { fence: 4n, reason: 'Canceled by ada.' } })
    const { result, reason } = await gateway.finished(4n)
    assert.deepEqual([result, reason], [Result.CANCELED, 'Canceled by ada.'])
    assert.deepEqual(gateway.texts(4n, 'stdout'), [])
    registry.holdBack(false)
  })

  test('is pulled with the password, which is masked', async () => {
    const { gateway } = runner
    const container = { image, registryLogins }
    gateway.assign({ fence: 5n, script: `echo ran with ${registryAccount.password}`, container })
    assert.equal((await gateway.finished(5n)).reason, '')
    assert.deepEqual(gateway.texts(5n, 'stdout'), ['ran with ***'])
    const [pulling, pulled] = gateway.texts(5n, 'system')
    assert.equal(pulling, `Pulling ${image} from ${registry.host}.`)
    assert.match(
      pulled ?? '',
      /^Pulled .*tiny \(sha256:[0-9a-f]+\) in \d+ s\.$|^Pulled .*tiny \([0-9a-f]+\) in \d+ s\.$/,
    )
  })

  test('is told by the digest that its registry has it by, and one of the machine by its id', async () => {
    podman.makeImage('localhost/db:1')
    const services = [{ name: 'db', image: 'localhost/db:1', command: ['sleep', '60'] }]
    assert.deepEqual(await run(30n, { image, registryLogins, services }), ran)
    const digests = podman.run('image', 'inspect', '--format', '{{range .RepoDigests}}{{.}} {{end}}', image)
    const [own, service] = runner.gateway.attempts.get(30n)?.images ?? []
    assert.deepEqual([own?.service, own?.image], ['', image])
    assert.ok(digests.split(' ').includes(`${image}@${own?.digest}`), digests)
    const id = podman.run('images', '--quiet', '--no-trunc', 'localhost/db:1')
    assert.deepEqual(service, { service: 'db', image: 'localhost/db:1', digest: id })
  })

  test('that is here is used by tasks with the password, and by no others', async () => {
    assert.deepEqual(await run(6n, { image, registryLogins }), ran)
    const without = await run(7n, { image })
    assert.match(
      without.reason,
      /or give the task a registry_credential for 127.+ It is here, but only for tasks that may have it from/,
    )
    const wrong = await run(8n, { image, registryLogins: wrongLogins })
    assert.match(
      wrong.reason,
      /whether the registry_credential of the task for 127\.0\.0\.1:\d+ may read it\. It is here, but only/,
    )
    const id = podman.run('images', '--quiet', '--no-trunc', image).replace('sha256:', '')
    assert.match((await run(9n, { image: id })).reason, /the id of an image is not its name/, 'nor by its id')
    const service = { name: 'db', image, command: ['sleep', '60'] }
    podman.makeImage('localhost/mine:1')
    const beside = await run(10n, { image: 'localhost/mine:1', services: [service] })
    assert.match(beside.reason, /^The service db could not be started\. .+ It is here, but only/)
  })

  test('that took a password is not used while its registry is away', async () => {
    await registry.stop()
    const { reason } = await run(11n, { image, registryLogins })
    await registry.start()
    assert.match(reason, /Check whether the container engine of this runner can reach 127.+ It is here, but only for/)
  })

  test('that is missing is asked for, and one that is here is not, where the pull policy says so', async () => {
    const container = { image, registryLogins, pullPolicy: 'missing' }
    const asked = registry.requests()
    assert.deepEqual(await run(40n, container), ran)
    assert.deepEqual(await run(41n, { ...container, pullPolicy: 'never' }), ran)
    assert.equal(registry.requests(), asked)
    const elsewhere = `${registry.host}/acme/elsewhere`
    assert.deepEqual(
      [(await run(42n, { ...container, image: elsewhere })).stdout, registry.requests() > asked],
      [['ran '], true],
    )
  })

  test("that took the password of somebody else is nobody else's, whatever the pull policy", async () => {
    for (const [fence, logins] of [
      [43n, []],
      [45n, wrongLogins],
    ] as const) {
      const missing = await run(fence, { image, registryLogins: [...logins], pullPolicy: 'missing' })
      assert.match(missing.reason, /could not be pulled .+ It is here, but only for tasks that may have it from/)
      const never = await run(fence + 1n, { image, registryLogins: [...logins], pullPolicy: 'never' })
      assert.match(
        never.reason,
        /is here, but only for tasks that may have it from .+, and its pull_policy is never\.$/,
      )
    }
    const absent = await run(47n, { image: `${image}-absent`, registryLogins, pullPolicy: 'never' })
    assert.match(absent.reason, /is not on the machine of this runner, and its pull_policy is never\.$/)
  })

  test('is asked for once in a run', async () => {
    const container = { image, registryLogins }
    assert.deepEqual(await run(12n, container, 'one-run'), ran)
    const asked = registry.requests()
    assert.deepEqual(await run(13n, container, 'one-run'), ran)
    assert.equal(registry.requests(), asked)
    assert.match((await run(14n, { image }, 'one-run')).reason, /could not be pulled/)
  })

  test('that takes no password is used while its registry is away, and the log says so', async () => {
    registry.demandPassword(false)
    assert.deepEqual(await run(15n, { image }), ran)
    await registry.stop()
    const { reason, stdout, said } = await run(16n, { image })
    await registry.start()
    assert.deepEqual([reason, stdout], ['', ['ran ']])
    assert.match(said.join('\n'), /cannot be asked for .+tiny \(.+\): the image that is here is used, which may be/)
  })

  test('is not asked for again by its digest, where it takes no password', async () => {
    const pinned = podman.run('image', 'inspect', '--format', '{{index .RepoDigests 0}}', image)
    const asked = registry.requests()
    assert.deepEqual(await run(17n, { image: pinned }), ran)
    assert.equal(registry.requests(), asked)
  })

  test('whose tag has moved is pulled anew', async () => {
    registry.serve(newer)
    const { reason, stdout, said } = await run(18n, { image })
    assert.deepEqual([reason, stdout], ['', ['ran moved']])
    assert.match(said.join('\n'), /^Pulled .+tiny/)
  })

  test('that takes a password from now on is known to take one', async () => {
    registry.demandPassword(true)
    assert.match((await run(19n, { image })).reason, /It is here, but only for tasks that may have it/)
    await registry.stop()
    assert.match((await run(20n, { image })).reason, /It is here, but only for tasks that may have it/)
    assert.deepEqual(await run(21n, { image: 'localhost/mine:1' }), ran, 'one of this machine needs no registry')
    await registry.start()
  })
})
