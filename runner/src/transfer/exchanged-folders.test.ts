import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { OpenFolder } from '../trees/open-folder.ts'
import { ByteLimit } from './byte-limit.ts'
import { matchFiles } from './match-files.ts'
import { packFiles } from './pack.ts'
import { readFiles } from './read-files.ts'
import { unpackInto } from './unpack.ts'

const root = mkdtempSync(join(tmpdir(), 'signalbox-exchanged-'))
after(() => rmSync(root, { recursive: true, force: true }))
const limit = () => new ByteLimit(1024 * 1024)
const names = Array.from({ length: 40 }, (_, at) => `${String(at).padStart(3, '0')}.txt`)
let count = 0

const aFolder = (...files: string[]): string => {
  const folder = join(root, String(++count))
  mkdirSync(join(folder, 'dist'), { recursive: true })
  for (const name of files) writeFileSync(join(folder, 'dist', name), folder)
  return folder
}

/** Runs a program of the other task, with `place` and `things`; resolves when it has begun. */
const meanwhile = async (program: string, place: string, things: readonly string[]): Promise<Disposable> => {
  const whole = `
    const { renameSync, symlinkSync, writeSync } = require('node:fs')
    const [place, ...things] = process.argv.slice(1)
    writeSync(1, 'begun')
    for (;;) for (const thing of things) { ${program} }`
  const child = spawn(process.execPath, ['-e', whole, place, ...things], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return { [Symbol.dispose]: () => void child.kill('SIGKILL') }
}

const leadThereInTurns = "symlinkSync(thing, place + '.new'); renameSync(place + '.new', place)"
const lieThereInTurns = 'renameSync(thing, place); renameSync(place, thing)'

describe('while another task of the run exchanges folders and links', { skip: process.platform !== 'linux' }, () => {
  test('nothing is written outside of the workspace', async () => {
    const outside = aFolder('old')
    using from = OpenFolder.open(aFolder(...names))
    const archive = zstdCompressSync(
      await buffer(
        packFiles(
          from,
          names.map((name) => `dist/${name}`),
          limit(),
        ),
      ),
    )
    const to = aFolder()
    renameSync(join(to, 'dist'), join(to, 'real'))
    using _task = await meanwhile(leadThereInTurns, join(to, 'dist'), ['real', join(outside, 'dist')])
    const problems = new Set<string>()
    const escape = 'dist leads out of the workspace'
    // Unpacking must meet the link at least once, however the machine orders the turns.
    for (let round = 0; round < 30 || (round < 5000 && !problems.has(escape)); round++) {
      const staging = aFolder()
      await unpackInto(to, staging, Readable.from(archive), limit()).catch((error: Error) =>
        problems.add(error.message),
      )
      assert.deepEqual(readdirSync(join(outside, 'dist')), ['old'])
    }
    assert.ok(problems.has(escape), [...problems].join('; '))
  })

  test('nothing is read that lies outside of the workspace', async () => {
    const outside = aFolder(...names, 'secret')
    const from = aFolder(...names)
    renameSync(join(from, 'dist'), join(from, 'own'))
    symlinkSync(join(outside, 'dist'), join(from, 'away'))
    using _task = await meanwhile(lieThereInTurns, join(from, 'dist'), [join(from, 'own'), join(from, 'away')])
    using folder = OpenFolder.open(from)
    let read = 0
    for (let round = 0; round < 50 || (round < 5000 && read === 0); round++) {
      assert.ok(!matchFiles(folder, ['**']).files.includes('dist/secret'))
      for (const name of names) read += (await readNow(folder, `dist/${name}`, from)) ? 1 : 0
    }
    assert.ok(read > 0, 'some were read')
  })

  /** Whether it could be read. */
  const readNow = async (folder: OpenFolder, name: string, text: string): Promise<boolean> => {
    try {
      for await (const file of readFiles(folder, [name])) {
        assert.ok(file.kind === 'file')
        assert.equal(String(await buffer(file.bytes)), text)
      }
      return true
    } catch (error) {
      assert.match(String(error), /was changed while it was read/)
      return false
    }
  }
})
