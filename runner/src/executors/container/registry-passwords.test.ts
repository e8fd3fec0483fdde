import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Assignment } from '../../testing/gateway.ts'
import type { RunnerUnderTest } from '../../testing/runner-under-test.ts'
import { startRunner, temporaryFolder } from '../../testing/runner-under-test.ts'
import type { TestPodman } from './testing/podman.ts'
import { startPodman, withoutPodman } from './testing/podman.ts'
import type { TestRegistry } from './testing/registry.ts'
import { makeServedImage, registryAccount, startRegistry } from './testing/registry.ts'

const password = `${registryAccount.username}:${registryAccount.password}`

describe('the password of a registry', { skip: withoutPodman() }, () => {
  let mine: TestRegistry
  let other: TestRegistry
  let podman: TestPodman
  let runner: RunnerUnderTest
  let saved: string
  let fence = 0n
  const folder = temporaryFolder()

  before(async () => {
    mine = await startRegistry()
    // Another host, not just another port: that is what clients look at.
    other = await startRegistry({ address: '127.0.0.2' })
    podman = await startPodman({ insecureRegistries: [mine.host, other.host] })
    saved = makeServedImage(podman, folder.path, 'tiny')
    mine.serve(saved)
    other.serve(saved)
    runner = await startRunner({ containerHost: podman.host, containerNetwork: 'none' })
    await runner.gateway.connectedEngine()
  })
  after(async () => {
    await runner?.[Symbol.asyncDispose]()
    await podman?.[Symbol.asyncDispose]()
    await mine?.[Symbol.asyncDispose]()
    await other?.[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })
  beforeEach(() => {
    for (const registry of [mine, other]) registry.forget()
  })

  const run = async (container: NonNullable<Assignment['container']>) => {
    fence++
    const { gateway } = runner
    const registryLogins = [{ registry: mine.host, ...registryAccount }]
    gateway.assign({ fence, runId: `run-${fence}`, script: 'true', container: { registryLogins, ...container } })
    return (await gateway.finished(fence)).reason
  }

  test('is not told to the registry of a service beside the task', async () => {
    const services = [{ name: 'db', image: `${other.host}/acme/tiny`, command: ['sleep', '60'] }]
    const image = `${mine.host}/acme/tiny`
    assert.match(
      await run({ image, services }),
      /^The service db could not be started\. .+ a registry_credential for 127\.0\.0\.2:/,
    )
    other.demandPassword(false)
    assert.equal(await run({ image, services }), '')
    assert.deepEqual(mine.heard(), [password])
    assert.ok(!other.heard().includes(password))
  })

  test('is not told to another registry of the task, nor to another port of the same host', async () => {
    const [host = ''] = mine.host.split(':')
    for (const registry of [other.host, host, `${host}:443`, 'localhost', '']) {
      const container = { image: `${mine.host}/acme/tiny`, registryLogins: [{ registry, ...registryAccount }] }
      assert.match(await run(container), /or give the task a registry_credential for 127\.0\.0\.1:/, registry)
    }
    assert.ok(!mine.heard().includes(password))
  })

  for (const kind of ['manifests', 'blobs'] as const) {
    test(`does not follow its registry when that sends ${kind} on to another host`, async () => {
      mine.redirect(kind, other)
      assert.match(await run({ image: `${mine.host}/acme/${kind}` }), /could not be pulled/)
      other.demandToken(other)
      assert.match(await run({ image: `${mine.host}/acme/${kind}` }), /could not be pulled/)
      assert.deepEqual(mine.heard(), [password])
      assert.ok(!other.heard().includes(password))
    })
  }

  test("is told to the server of tokens that its registry names, which is its registry's own word", async () => {
    mine.demandToken(other)
    assert.equal(await run({ image: `${mine.host}/acme/token` }), '')
    assert.ok(other.heard().includes(password) && !mine.heard().includes(password))
  })
})

describe('an image of the machine', { skip: withoutPodman() }, () => {
  let registry: TestRegistry
  let podman: TestPodman
  let runner: RunnerUnderTest
  const folder = temporaryFolder()

  before(async () => {
    registry = await startRegistry()
    podman = await startPodman({ insecureRegistries: [registry.host] })
    registry.serve(makeServedImage(podman, folder.path, 'tiny'))
    runner = await startRunner({ containerHost: podman.host, containerNetwork: 'none' })
    await runner.gateway.connectedEngine()
  })
  after(async () => {
    await runner?.[Symbol.asyncDispose]()
    await podman?.[Symbol.asyncDispose]()
    await registry?.[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  const run = async (fence: bigint, container: NonNullable<Assignment['container']>) => {
    const { gateway } = runner
    gateway.assign({ fence, runId: `run-${fence}`, script: 'true', container })
    const { reason } = await gateway.finished(fence)
    return { reason, said: gateway.texts(fence, 'system') }
  }

  test('is never pulled: where it is absent the sentence says how to make it', async () => {
    const { reason, said } = await run(1n, { image: 'localhost/absent' })
    assert.match(
      reason,
      /^The image localhost\/absent is not on the machine .+ \(podman build --tag localhost\/absent:latest \.\)/,
    )
    assert.ok(!said.some((line) => line.startsWith('Pulling')))
    assert.match(
      (await run(2n, { image: 'localhost/../../x' })).reason,
      /^The image "localhost\/\.\.\/\.\.\/x" is no reference/,
    )
  })

  test('is not one that somebody else pulled with a password, named by its digest', async () => {
    const image = `${registry.host}/acme/private`
    const registryLogins = [{ registry: registry.host, ...registryAccount }]
    assert.equal((await run(3n, { image, registryLogins })).reason, '')
    const digest = podman.run('image', 'inspect', '--format', '{{.Digest}}', image)
    for (const [fence, name] of [
      [4n, `localhost/x@${digest}`],
      [5n, `localhost/private@${digest}`],
      [6n, `localhost/acme/private@${digest}`],
    ] as const) {
      assert.match((await run(fence, { image: name })).reason, /is not on the machine of this runner/, name)
    }
  })
})
