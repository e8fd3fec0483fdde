import assert from 'node:assert/strict'
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { eventually } from '../../testing/eventually.ts'
import type { RunnerUnderTest } from '../../testing/runner-under-test.ts'
import { startRunner } from '../../testing/runner-under-test.ts'
import type { TestPodman } from './testing/podman.ts'
import { startPodman, withoutPodman } from './testing/podman.ts'

const image = 'localhost/tiny:1'

describe('root in a container', { skip: withoutPodman() }, () => {
  let podman: TestPodman
  let runner: RunnerUnderTest

  before(async () => {
    podman = await startPodman()
    podman.makeImage(image)
    runner = await startRunner({
      containerHost: podman.host,
      containerNetwork: 'none',
      executors: ['host', 'container'],
    })
    await runner.gateway.connectedEngine()
  })
  after(async () => {
    await runner?.[Symbol.asyncDispose]()
    await podman?.[Symbol.asyncDispose]()
  })

  test('leaves no program that gives its rights to a task on the host, under one name or two, and no device', async () => {
    const { gateway } = runner
    gateway.assign({ fence: 3n, sharedWorkspace: {}, script: 'pwd' })
    assert.equal((await gateway.finished(3n)).result, Result.SUCCESS)
    const [workspace = ''] = gateway.texts(3n)
    const script = [
      'mkdir sub',
      'for name in tool sub/other; do cat /bin/busybox > $name; chmod 6755 $name; done',
      'ln tool sub/second',
      'busybox mknod disk b 7 0 || echo "no device"',
      'stat -c %a tool sub/other',
    ].join('\n')
    gateway.assign({ fence: 1n, sharedWorkspace: { begun: true }, script, container: { image } })
    assert.equal((await gateway.finished(1n)).result, Result.SUCCESS)
    assert.deepEqual(gateway.texts(1n, 'stdout'), ['no device', '6755', '6755'])
    for (const name of ['tool', 'sub/other', 'sub/second']) {
      assert.equal(lstatSync(join(workspace, name)).mode & 0o7000, 0, `${name} after the container`)
    }
    gateway.assign({
      fence: 2n,
      sharedWorkspace: { begun: true },
      script: 'id -u; stat -c "%u %a" tool sub/other sub/second; ! test -e disk',
    })
    assert.equal((await gateway.finished(2n)).result, Result.SUCCESS)
    const [account, ...files] = gateway.texts(2n, 'stdout')
    assert.notEqual(account, '0')
    assert.deepEqual(files, [`${account} 755`, `${account} 755`, `${account} 755`])
  })

  test('leaves folders deeper than any path: a task on the host gets them, and they go with the step', async () => {
    const { gateway } = runner
    const name = 'd'.repeat(200)
    const script = `i=0; until test $i = 100; do mkdir ${name}; cd -P ${name}; i=$((i+1)); done; touch file`
    gateway.assign({ fence: 21n, runId: 'deep', sharedWorkspace: {}, script, container: { image } })
    assert.equal((await gateway.finished(21n)).result, Result.SUCCESS)
    gateway.assign({
      fence: 22n,
      runId: 'deep',
      sharedWorkspace: { begun: true },
      script: 'pwd; find . -user "$(id -u)" | wc -l',
    })
    assert.equal((await gateway.finished(22n)).result, Result.SUCCESS)
    const [workspace = '', count] = gateway.texts(22n, 'stdout')
    assert.equal(count, '102')
    gateway.send({ case: 'workspaceOver', value: { runId: 'deep', step: 's' } })
    await eventually(() => !existsSync(workspace), 'the workspace is gone')
  })
})
