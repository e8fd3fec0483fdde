import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { copyWhole } from './binaries.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-binaries-'))
const native = join(folder, 'native')
mkdirSync(native)
writeFileSync(join(native, 'postgres'), Buffer.alloc(3 * 1024 * 1024, 1))
after(() => rmSync(folder, { recursive: true, force: true }))

describe('the copy of the programs of PostgreSQL', () => {
  test('is whole, and is made once where two starts make it', () => {
    const copy = join(folder, 'made', 'programs')
    copyWhole(native, copy)
    copyWhole(native, copy)
    assert.equal(readFileSync(join(copy, 'postgres')).length, 3 * 1024 * 1024)
    assert.deepEqual(readdirSync(join(folder, 'made')), ['programs'])
  })

  test('on a full disk ends the start with a sentence that names the folder, and leaves nothing behind', (context) => {
    const full = join(folder, 'full')
    mkdirSync(full)
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', full])
    if (status !== 0) return context.skip('nothing can be mounted')
    try {
      // Often, as a copy that is cut short in silence was one of 16.
      for (let time = 0; time < 64; time += 1) {
        assert.throws(() => copyWhole(native, join(full, 'programs')), {
          code: 'database.disk_full',
          message: `The disk of ${full} has no room for the programs of PostgreSQL, which are copied there once: make room there, then start again.`,
        })
        assert.deepEqual(readdirSync(full), [])
      }
    } finally {
      spawnSync('umount', [full])
    }
  })
})
