import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, beforeEach, describe, test } from 'node:test'
import { systemClock } from '#platform/time'
import { DataDirHeld, lockDataDir } from './lock.ts'

/** Containers on one volume see each other's folders, not each other's processes. */
const canSeparate =
  process.getuid?.() === 0 &&
  ['flock', 'unshare'].every((program) => existsSync(`/usr/bin/${program}`)) &&
  spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0
const PROGRAM = join(import.meta.dirname, 'testing/lock-program.ts')
/** No process has this number: it is above the highest that the kernel gives. */
const DEAD = { pid: 2 ** 22 + 7, birth: '1' }
const home = mkdtempSync(join(tmpdir(), 'signalbox-lock-'))
after(() => rmSync(home, { recursive: true }))

let folder = ''
let folders = 0
beforeEach(() => {
  folder = join(home, String(++folders))
  mkdirSync(folder)
})

const leave = (name: string, holder: unknown): void => writeFileSync(join(folder, name), JSON.stringify(holder))
const lock = () => lockDataDir(folder, systemClock, 0)

function assertHeldBy(pid: number): Promise<void> {
  return assert.rejects(lock(), (error) => error instanceof DataDirHeld && error.message.includes(`process ${pid}:`))
}

describe('the lock of a data folder', () => {
  test('names who holds it', async () => {
    // Process 1 lives on every system and is not ours.
    const stat = readFileSync('/proc/1/stat', 'utf8')
    leave('lock', { pid: 1, birth: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] })
    await assertHeldBy(1)
  })

  test('is taken over from a process that no longer lives, also where its number lives again', async () => {
    for (const holder of [DEAD, { pid: 1, birth: 'earlier' }]) {
      leave('lock', holder)
      const taken = await lock()
      assert.deepEqual(readdirSync(folder), ['lock'])
      taken.release()
      assert.deepEqual(readdirSync(folder), [])
    }
  })

  test('is taken over where a crash of the machine left it empty', async () => {
    writeFileSync(join(folder, 'lock'), '')
    const taken = await lock()
    taken.release()
  })

  test('is taken over from a process that died while it took over from another', async () => {
    leave('lock', DEAD)
    const second = { pid: DEAD.pid, birth: '2' }
    leave(`lock.after-${DEAD.pid}-${DEAD.birth}`, second)
    leave(`lock.after-${second.pid}-${second.birth}`, { pid: DEAD.pid, birth: '3' })
    const taken = await lock()
    assert.deepEqual(readdirSync(folder), ['lock'])
    taken.release()
  })

  test('has one holder when many starts find it left behind at once', async () => {
    for (let round = 0; round < 4; round++) {
      const dataDir = join(folder, String(round))
      mkdirSync(dataDir)
      writeFileSync(join(dataDir, 'lock'), JSON.stringify(DEAD))
      const go = join(folder, `go-${round}`)
      const starts = Array.from({ length: 6 }, () => {
        const child = spawn(process.execPath, [PROGRAM, dataDir, go], { stdio: ['pipe', 'pipe', 'inherit'] })
        return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
      })
      for (const { lines } of starts) assert.equal((await lines.next()).value, 'ready')
      writeFileSync(go, '')
      const said = await Promise.all(starts.map(async ({ lines }) => (await lines.next()).value))
      await Promise.all(
        starts.map(({ child }) => {
          child.stdin.end()
          return once(child, 'exit')
        }),
      )
      assert.deepEqual(said.toSorted().slice(0, 2), ['held', 'refused'])
      assert.ok(existsSync(join(dataDir, 'lock')))
    }
  })

  test('holds against a process that sees other process ids, and goes with its holder', {
    skip: !canSeparate,
  }, async () => {
    const go = join(folder, 'go')
    writeFileSync(go, '')
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const apart = ['--pid', '--fork', '--kill-child', '--mount-proc', process.execPath, PROGRAM, dataDir, go]
    const child = spawn('unshare', apart, { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    assert.deepEqual([(await lines.next()).value, (await lines.next()).value], ['ready', 'held'])
    const ended = once(child, 'exit')
    try {
      await assert.rejects(lockDataDir(dataDir, systemClock, 0), DataDirHeld)
    } finally {
      child.kill('SIGKILL')
      await ended
    }
    const taken = await lockDataDir(dataDir, systemClock, 30_000)
    taken.release()
  })
})
