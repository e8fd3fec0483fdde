import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eventually } from '../../testing/eventually.ts'
import { TestGateway } from '../../testing/gateway.ts'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import type { TestPodman } from './testing/podman.ts'
import { startPodman, withoutPodman } from './testing/podman.ts'

const program = fileURLToPath(new URL('../../../bin/signalbox-runner.mjs', import.meta.url))
const image = 'localhost/tiny:1'
const account = { uid: 65_534, gid: 65_534 }

describe('a runner that is not root, with an engine that is', { skip: withoutPodman() }, () => {
  let podman: TestPodman
  before(async () => {
    podman = await startPodman()
    podman.makeImage(image)
    podman.makeImage('localhost/app:1', 'USER app')
    chmodSync(podman.host.replace('unix://', ''), 0o666)
  })
  after(() => podman?.[Symbol.asyncDispose]())

  test('hands files of containers from task to task, and removes them in the end', async (context) => {
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    const workDir = join(folder.path, 'work')
    mkdirSync(workDir)
    chownSync(workDir, account.uid, account.gid)
    const gateway = new TestGateway()
    await gateway.start()
    const flags = [
      '--url',
      gateway.url,
      '--work-dir',
      workDir,
      '--container-host',
      podman.host,
      '--container-network',
      'none',
    ]
    const runner = spawn(process.execPath, [program, ...flags], {
      ...account,
      cwd: '/',
      env: { PATH: process.env['PATH'], SIGNALBOX_RUNNER_TOKEN: gateway.token },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    runner.stderr.on('data', (part) => {
      said += String(part)
    })
    const left = once(runner, 'exit').catch((error: unknown) => {
      said += String(error)
    })
    await Promise.race([gateway.connectedRunner(), left])
    if (!gateway.connected && /EACCES|MODULE_NOT_FOUND/.test(said)) {
      context.skip('this account cannot read the checkout')
      gateway.kill()
      return
    }
    await gateway.connectedEngine()
    const sharedWorkspace = { begun: true }
    const script = (more: string) => `id -u; mkdir -p a; ls a; touch "a/$(id -u)"; chmod 700 a; ${more}`
    gateway.assign({
      fence: 1n,
      sharedWorkspace: {},
      script: script('mkdir -p left/over; touch left/over/file'),
      container: { image },
    })
    assert.equal((await gateway.finished(1n)).reason, '')
    gateway.assign({
      fence: 2n,
      sharedWorkspace,
      script: script('chmod 777 a; pwd'),
      container: { image: 'localhost/app:1' },
    })
    assert.equal((await gateway.finished(2n)).reason, '')
    gateway.assign({ fence: 3n, sharedWorkspace, script: script('pwd') })
    assert.equal((await gateway.finished(3n)).reason, '')
    const [, , , directory = ''] = gateway.texts(3n)
    assert.deepEqual(gateway.texts(2n), ['1000', '0', '/workspace'])
    assert.deepEqual(gateway.texts(3n), [String(account.uid), '0', '1000', directory])
    gateway.assign({
      fence: 4n,
      sharedWorkspace,
      script: 'mkdir -p more/of/it; touch more/of/it/file',
      container: { image },
    })
    assert.equal((await gateway.finished(4n)).reason, '')
    assert.ok(existsSync(join(directory, 'more')))
    gateway.send({ case: 'workspaceOver', value: { runId: 'r', step: 's' } })
    await eventually(() => !existsSync(directory), 'the workspace is gone')
    runner.kill('SIGTERM')
    await left
    assert.doesNotMatch(said, /could not be removed/)
    gateway.kill()
  })
})
