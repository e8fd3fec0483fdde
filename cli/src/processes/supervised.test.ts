import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { makeTestFolder } from '../testing/test-surroundings.ts'
import { findPortTrouble } from './ports.ts'
import { type Supervised, supervise } from './supervised.ts'

/** Waits for the process that `different` is not. */
async function nextPid(child: Supervised, different: number | undefined): Promise<number> {
  for (;;) {
    if (child.pid !== undefined && child.pid !== different) return child.pid
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function superviseScript(folder: string, script: string, mayRestart = true, mayFinish = false) {
  const path = join(folder, 'program.mjs')
  writeFileSync(path, script)
  const crashes: string[] = []
  const child = supervise({
    name: 'program',
    args: [path],
    env: { PATH: process.env['PATH'] },
    cwd: folder,
    logFile: join(folder, 'logs/program.log'),
    mayRestart: () => mayRestart,
    mayFinish,
    onCrash: (how) => crashes.push(how),
  })
  return { child, crashes }
}

describe('a supervised program', () => {
  for (const [script, mayFinish, reason] of [
    ['process.exit(0)', true, 'finished'],
    ['process.exit(3)', true, 'ended with code 3'],
    ['process.exit(0)', false, 'ended with code 0'],
  ] as const) {
    test(`that runs ${script} and ${mayFinish ? 'may' : 'may not'} finish has ${reason}`, async () => {
      using folder = makeTestFolder()
      const { child, crashes } = superviseScript(folder.path, script, false, mayFinish)
      assert.equal(await child.ended, reason)
      assert.equal(crashes.length, 1)
    })
  }

  test('is started again after kill -9, and stays stopped when it is stopped', async () => {
    using folder = makeTestFolder()
    const { child, crashes } = superviseScript(folder.path, 'setInterval(() => {}, 1000)')
    const first = await nextPid(child, undefined)
    process.kill(first, 'SIGKILL')
    const second = await nextPid(child, first)
    assert.notEqual(second, first)
    assert.deepEqual(crashes, ['was ended by SIGKILL'])
    await child.stop()
    assert.equal(await child.ended, 'stopped')
    assert.equal(child.pid, undefined)
    assert.equal(crashes.length, 1)
  })

  test('that ends with an error which a new start cannot cure is left alone', async () => {
    using folder = makeTestFolder()
    const { child } = superviseScript(folder.path, 'process.exit(2)', false)
    assert.equal(await child.ended, 'ended with code 2')
    assert.equal(child.needsOperator, true)
  })

  test('can be ended without asking', async () => {
    using folder = makeTestFolder()
    const { child } = superviseScript(folder.path, 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)')
    await nextPid(child, undefined)
    child.kill()
    assert.equal(await child.ended, 'stopped')
  })
})

test('a port that is taken is known before anything is started', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  assert.equal(await findPortTrouble('127.0.0.1', port), 'EADDRINUSE')
  await new Promise((resolve) => server.close(resolve))
  assert.equal(await findPortTrouble('127.0.0.1', port), undefined)
  assert.equal(await findPortTrouble('127.0.0.1', 0), undefined)
})
