import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import type { TestPodman } from './testing/podman.ts'
import { startPodman, withoutPodman } from './testing/podman.ts'
import type { TestRegistry } from './testing/registry.ts'
import { startRegistry } from './testing/registry.ts'

const docs = readFileSync(new URL('../../../../docs/operations/runners.md', import.meta.url), 'utf8')
const recommended = docs
  .split('```sh\n')
  .find((block) => block.includes('image prune'))
  ?.split('```')[0]

describe('the prune that the docs recommend', { skip: withoutPodman() }, () => {
  let registry: TestRegistry
  let podman: TestPodman
  const folder = temporaryFolder()
  const names = () =>
    podman
      .run('images', '--format', '{{.Repository}}:{{.Tag}}')
      .split('\n')
      .filter((name) => name !== '')

  before(async () => {
    registry = await startRegistry()
    registry.demandPassword(false)
    podman = await startPodman({ insecureRegistries: [registry.host] })
    const saved = join(folder.path, 'pinned')
    podman.makeImage('localhost/saved:1', 'ENV SAVED=1')
    podman.run('save', '--format', 'oci-dir', '--output', saved, 'localhost/saved:1')
    podman.run('image', 'rm', 'localhost/saved:1')
    registry.serve(saved)
    await podman.runScript(`podman pull ${registry.host}/acme/pulled:1`)
    const digest = podman.run('image', 'inspect', '--format', '{{.Digest}}', `${registry.host}/acme/pulled:1`)
    podman.run('image', 'rm', `${registry.host}/acme/pulled:1`)
    await podman.runScript(`podman pull ${registry.host}/acme/pinned@${digest}`)
  })
  after(async () => {
    await podman?.[Symbol.asyncDispose]()
    await registry?.[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  test('removes what came from registries, and neither images of the machine nor what these and containers are made of', async () => {
    podman.makeImage('localhost/mine:1', 'ENV MINE=1')
    podman.makeImage('localhost/base:1', 'ENV BASE=1')
    podman.buildImage('localhost/made:1', 'FROM localhost/base:1', 'ENV MADE=1')
    podman.makeImage('localhost/base:1', 'ENV BASE=2')
    podman.makeImage('localhost/both:1', 'ENV BOTH=1')
    podman.run('tag', 'localhost/both:1', `${registry.host}/acme/both:1`)
    podman.makeImage('docker.io/acme/used:1', 'ENV USED=1')
    podman.run('create', '--name', 'user', 'docker.io/acme/used:1', 'true')
    const pulled = names().filter((name) => name.startsWith(registry.host))
    assert.deepEqual(pulled.toSorted(), [`${registry.host}/acme/both:1`, `${registry.host}/acme/pinned:<none>`])

    await podman.runScript(recommended ?? assert.fail('the docs recommend none'))

    assert.deepEqual(names().toSorted(), [
      'docker.io/acme/used:1',
      'localhost/base:1',
      'localhost/both:1',
      'localhost/made:1',
      'localhost/mine:1',
    ])
    assert.equal(
      podman.run('run', '--rm', '--network', 'none', 'localhost/made:1', 'sh', '-c', 'echo $BASE$MADE'),
      '11',
    )
  })
})
