import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { eventually } from '../testing/eventually.ts'
import { temporaryFolder } from '../testing/runner-under-test.ts'
import { lockWorkDir } from './lock.ts'

const since = '2026-01-01T00:00:00.000Z'
const canSeparate =
  process.getuid?.() === 0 &&
  ['flock', 'unshare'].every((program) => existsSync(`/usr/bin/${program}`)) &&
  spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0

const isFree = (folder: string): boolean => {
  try {
    using _lock = lockWorkDir(folder, since)
    return true
  } catch {
    return false
  }
}

test('a work-dir is held against a runner that sees other process ids, until its holder ends', {
  skip: !canSeparate,
}, async () => {
  using folder = temporaryFolder()
  const lock = new URL('./lock.ts', import.meta.url).href
  const script = `const { lockWorkDir } = await import('${lock}')
    lockWorkDir('${folder.path}', '${since}'); console.log('held'); process.stdin.resume()`
  const node = [process.execPath, '--input-type=module', '--eval', script]
  const child = spawn('unshare', ['--pid', '--fork', '--kill-child', '--mount-proc', ...node], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout, 'data')
  assert.equal(String(said), 'held\n')
  const ended = once(child, 'exit')
  try {
    assert.throws(() => lockWorkDir(folder.path, since), { code: 'runner.work_dir_in_use' })
  } finally {
    child.kill('SIGKILL')
    await ended
  }
  await eventually(() => isFree(folder.path), 'the work-dir is free')
})
