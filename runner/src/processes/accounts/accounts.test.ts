import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { eventually } from '../../testing/eventually.ts'
import type { Assignment } from '../../testing/gateway.ts'
import { processesWith } from '../../testing/left-behind.ts'
import type { RunnerUnderTest } from '../../testing/runner-under-test.ts'
import { startRunner } from '../../testing/runner-under-test.ts'
import { rangeProblem } from './account-range.ts'

const skip = process.getuid?.() !== 0

// Of this file alone, and of no other on the machine: files of tests run side by side.
let next = 50_000 + (process.pid % 4000)
const accounts = (count: number) => {
  const first = next
  next += count
  return { first, count }
}

const uidOf = async (
  { gateway }: RunnerUnderTest,
  fence: bigint,
  runId: string,
  more: Pick<Assignment, 'sharedWorkspace'> = {},
): Promise<string> => {
  gateway.assign({ fence, runId, script: 'id -u; id -g', ...more })
  assert.equal((await gateway.finished(fence)).result, Result.SUCCESS, gateway.texts(fence).join(' '))
  const [uid = '', gid] = gateway.texts(fence)
  assert.equal(uid, gid)
  return uid
}

describe('the accounts of tasks', { skip, concurrency: 4 }, () => {
  test('are one for each attempt, also of one run, and one for the attempts that share a workspace', async () => {
    await using runner = await startRunner({ taskAccounts: accounts(8) })
    const { gateway } = runner
    gateway.assign({ fence: 1n, runId: 'one', script: 'id -u; sleep 600' })
    await gateway.until(() => gateway.texts(1n).length === 1, 'the first runs')
    assert.notEqual(await uidOf(runner, 2n, 'one'), gateway.texts(1n)[0])
    const shared = await uidOf(runner, 3n, 'shared', { sharedWorkspace: {} })
    assert.notEqual(await uidOf(runner, 4n, 'shared'), shared, 'the step is not over')
    assert.equal(await uidOf(runner, 5n, 'shared', { sharedWorkspace: { begun: true } }), shared)
  })

  test('keep a task from everything of another run: environment, memory, open files, signals, output', async () => {
    await using runner = await startRunner({ taskAccounts: accounts(8) })
    const { gateway } = runner
    const environment = { TOKEN: 'of-the-first' }
    gateway.assign({ fence: 1n, runId: 'one', script: 'echo "$$"; pwd; touch mine; sleep 600', environment })
    await gateway.until(() => gateway.texts(1n).length === 2, 'the first runs')
    const [pid = '', directory = ''] = gateway.texts(1n)
    assert.match(readFileSync(`/proc/${pid}/environ`, 'latin1'), /of-the-first/, 'root can read it')
    const attacks = [
      `cat /proc/${pid}/environ`,
      `head -c 1 /proc/${pid}/mem`,
      `cat /proc/${pid}/maps`,
      `ls -l /proc/${pid}/fd/`,
      `ls /proc/${pid}/cwd/`,
      `echo > /proc/${pid}/fd/1`,
      `kill -STOP ${pid}`,
      `kill -KILL ${pid}`,
      `timeout 2 strace -p ${pid}`,
      `ls ${directory}`,
      `cat ${directory}/../outputs`,
    ]
    const script = attacks.map((attack) => `if ${attack}; then echo 'can ${attack.replaceAll("'", '')}'; fi`).join('\n')
    gateway.assign({ fence: 2n, runId: 'two', script: `exec 2> /dev/null\n${script}` })
    assert.equal((await gateway.finished(2n)).result, Result.SUCCESS)
    assert.deepEqual(gateway.texts(2n), [])
    assert.equal(gateway.attempts.get(1n)?.finished, undefined, 'the first goes on')
  })

  test('are given out again only when nothing is left of them: no process, file, shared memory or semaphore', async () => {
    const range = accounts(1)
    await using runner = await startRunner({ taskAccounts: range })
    const { gateway } = runner
    const file = `/tmp/signalbox-left-${range.first}`
    const inMemory = `/dev/shm/signalbox-left-${range.first}`
    gateway.assign({
      fence: 1n,
      runId: 'one',
      script: `mkdir ${file}; echo secret > ${file}/file; echo secret > ${inMemory}; ipcmk -M 100 -S 1 -Q > /dev/null; ipcs | grep -c ${range.first}`,
    })
    assert.equal((await gateway.finished(1n)).result, Result.SUCCESS)
    assert.deepEqual(gateway.texts(1n), ['3'])
    assert.ok(existsSync(file) && existsSync(inMemory))
    // A process that no cgroup of the runner knows, as a daemon of the machine would start it for the account.
    const token = `daemon-${process.pid}`
    const daemon = spawn('/bin/sh', ['-c', 'trap "" TERM; while :; do sleep 1; done', token], {
      uid: range.first,
      gid: range.first,
      cwd: '/',
      env: {},
      stdio: 'ignore',
      detached: true,
    })
    daemon.unref()
    using _daemon = { [Symbol.dispose]: () => void daemon.kill('SIGKILL') }
    await eventually(() => processesWith(token).length > 0, 'the process runs')
    assert.equal(await uidOf(runner, 2n, 'two'), String(range.first))
    assert.ok(!existsSync(file) && !existsSync(inMemory))
    assert.deepEqual(processesWith(token), [])
    for (const kind of ['shm', 'sem', 'msg']) {
      assert.doesNotMatch(readFileSync(`/proc/sysvipc/${kind}`, 'utf8'), new RegExp(`\\b${range.first}\\b`))
    }
  })

  test('that are all in use fail a task with what to do, until one is free again', async () => {
    await using runner = await startRunner({ taskAccounts: accounts(1) })
    const { gateway } = runner
    await uidOf(runner, 1n, 'one', { sharedWorkspace: {} })
    gateway.assign({ fence: 2n, runId: 'two', script: 'true' })
    const { result, reason } = await gateway.finished(2n)
    assert.deepEqual([result, /--task-uids/.test(reason)], [Result.FAILURE, true])
    gateway.send({ case: 'workspaceOver', value: { runId: 'one', step: 's' } })
    await uidOf(runner, 3n, 'two')
  })

  test('are of one runner alone, and those of one that is gone are free again', async () => {
    const range = accounts(16)
    const seen: string[] = []
    for (let life = 0; life < 2; life++) {
      await using first = await startRunner({ taskAccounts: range })
      await using second = await startRunner({ taskAccounts: range })
      const uids = await Promise.all([uidOf(first, 1n, 'one'), uidOf(second, 1n, 'one')])
      assert.notEqual(uids[0], uids[1])
      seen.push(...uids)
    }
    assert.equal(seen.length, 4)
  })

  test('are refused where one is somebody, or where they do not exist', () => {
    const range = { first: 60_706, count: 477 }
    const map = '         0          0 4294967295\n'
    assert.equal(rangeProblem(range, 'root:x:0:0:root:/root:/bin/sh\n', map), undefined)
    assert.match(rangeProblem(range, 'ci:x:60800:60800::/:/bin/sh\n', map) ?? '', /60800 is ci/)
    assert.match(rangeProblem(range, '', '0 100000 60000\n') ?? '', /do not exist in this user namespace/)
    assert.equal(rangeProblem(range, '', '0 100000 65536\n'), undefined)
  })
})
