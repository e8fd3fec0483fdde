import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startSharedDatabase } from '../house/database.ts'
import { ADMIN_TOKEN, type House, makeDataDir, startHouse } from '../house/house.ts'
import { startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { surroundings } from '../house/surroundings.ts'
import { makePipeline, makeTeam } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const SERVER = join(import.meta.dirname, '../../server/bin/signalbox-server.mjs')
const SIGNALBOX = join(import.meta.dirname, '../../cli/bin/signalbox.mjs')
const folders: string[] = []
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function newFolder(): string {
  const folder = makeDataDir()
  folders.push(folder)
  return folder
}

const PIPELINE = `name: leaving
checkout: false
steps:
  - name: leave
    tasks:
      - name: leave
        run: for i in $(seq 300); do echo "line $i"; done; head -c 200000 /dev/urandom > bytes.bin
        artifacts: { paths: [bytes.bin] }
`

const MOST_UNDER_WAY = 8
/** Each step starts programs, which takes a machine with much other work half a minute. */
const PATIENCE_MS = 180_000

interface Artifact {
  readonly id: string
  readonly sha256: string
}

/** Runs a command line on a data folder; it must not print a stack. */
async function signalbox(dataDir: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [SIGNALBOX, ...words], {
    cwd: dataDir,
    env: { ...surroundings, DATA_DIR: dataDir, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exit = await new Promise<number | null>((resolve) => child.on('close', resolve))
  assert.doesNotMatch(output, /^\s+at /m, 'a sentence, no stack')
  return { exit, output }
}

/** A server that must refuse to start; answers its message. */
function refusedStart(dataDir: string): string {
  const { status, stderr } = spawnSync(process.execPath, [SERVER], {
    cwd: dataDir,
    env: { ...surroundings, DATA_DIR: dataDir, PORT: '0', RUNNER_PORT: '0', LOG_PRETTY: 'false' },
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  })
  assert.equal(status, 2, stderr)
  return stderr
}

async function download(house: House, { id }: Artifact): Promise<Buffer> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
  const response = await fetch(`${house.url}/v1/artifacts/${id}/download`, { headers })
  assert.equal(response.status, 200, id)
  return Buffer.from(await response.arrayBuffer())
}

/** Whether a backup that is made there, or was, has rows. */
function hasRows(folder: string): boolean {
  const tables = join(`${folder}.unfinished`, 'tables')
  return existsSync(folder) || (existsSync(tables) && readdirSync(tables).length > 0)
}

/** A run with its lines and the bytes of its artifact. */
async function read(house: House, runId: string) {
  const lines = (await runLog(house.api, runId)).map(({ line }) => line)
  const artifacts = await house.api.get<Artifact[]>(`/v1/runs/${runId}/artifacts`)
  return { lines, files: await Promise.all(artifacts.map((artifact) => download(house, artifact))) }
}

describe('a backup', () => {
  const dataDir = newFolder()
  const place = newFolder()
  const whole = join(place, 'whole')
  let house: House
  let workDir: string
  let runIds: string[]
  let first: Awaited<ReturnType<typeof read>>

  before(async () => {
    house = await startHouse({ dataDir })
    const team = await makeTeam(house.api, 'acme')
    const pipeline = encodeURIComponent(await makePipeline(house.api, team, PIPELINE))
    const runner = await startRunner(house)
    workDir = runner.workDir
    const start = async () =>
      (await house.api.send<{ run_id: string }>('POST', `/v1/pipelines/${pipeline}/runs`, { scope: team.scope })).run_id
    runIds = [await start()]
    await runEnd(house.api, runIds[0] ?? '')
    first = await read(house, runIds[0] ?? '')
    const busy = new AbortController()
    const load = (async () => {
      while (!busy.signal.aborted) {
        runIds.push(await start())
        // However long the backup takes, few runs wait when it is taken: each of them is run to its end later.
        const earlier = runIds.at(-MOST_UNDER_WAY)
        if (earlier !== undefined) await runEnd(house.api, earlier)
      }
    })()
    await waitFor(
      'some runs',
      async () => runIds.length,
      (count) => count > 10,
      PATIENCE_MS,
    )
    const backup = signalbox(dataDir, ['backup', whole])
    // Once rows are written, the instant that they are of has passed: this run is none of the backup's.
    await Promise.race([backup, waitFor('the first rows', async () => hasRows(whole), Boolean, PATIENCE_MS)])
    runIds.push(await start())
    const made = await backup
    busy.abort()
    await load
    assert.equal(made.exit, 0, made.output)
    assert.match(made.output, /rows of \d+ tables and \d+ objects are saved in .*\n.*secret key is not in it/)
    await runner.kill('SIGKILL')
    await house.stop()
  })

  test('is closed to others, and does not hold the key', () => {
    for (const path of ['.', ...readdirSync(whole, { recursive: true, encoding: 'utf8' })]) {
      assert.equal(statSync(join(whole, path)).mode & 0o077, 0, path)
    }
    const key = readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()
    assert.equal(existsSync(join(whole, 'secret-key')), false)
    assert.doesNotMatch(readFileSync(join(whole, 'manifest.json'), 'utf8'), new RegExp(key))
  })

  test('taken under load is restored to one consistent state, which goes on', async () => {
    const restored = newFolder()
    cpSync(join(dataDir, 'secret-key'), join(restored, 'secret-key'))
    const { exit, output } = await signalbox(restored, ['restore', whole])
    assert.equal(exit, 0, output)
    const again = await startHouse({ dataDir: restored, ports: portsOf(house) })
    after(() => again.stop())
    assert.deepEqual(await read(again, runIds[0] ?? ''), first)
    const runner = await startRunner(again, { workDir })
    after(() => runner.stop())
    const known: string[] = []
    for (const id of runIds) if ((await again.api.ask('GET', `/v1/runs/${id}`)).status === 200) known.push(id)
    assert.ok(known.length > 10 && known.length < runIds.length, `${known.length} of ${runIds.length} runs`)
    // Runs that ran then are taken up or lost, and waiting runs run now. Ended runs have all of their files.
    for (const id of known) {
      const run = await runEnd(again.api, id)
      const { lines, files } = await read(again, id)
      const printed = new Set(lines.filter((line) => /^line \d+$/.test(line)))
      if (run.status === 'success') assert.deepEqual([printed.size, files.length], [300, 1], id)
      else assert.match(run.steps[0]?.tasks[0]?.reason ?? '', /lost|lease|runner/i, JSON.stringify(run))
    }
  })

  test('is made of a stopped control plane too, with the key where that is wanted', async () => {
    const folder = join(place, 'with-key')
    const made = await signalbox(dataDir, ['backup', folder, '--with-key', '--json'])
    assert.equal(made.exit, 0, made.output)
    assert.equal(statSync(join(folder, 'secret-key')).mode & 0o777, 0o600)
    const restored = newFolder()
    const { exit, output } = await signalbox(restored, ['restore', folder])
    assert.equal(exit, 0, output)
    const key = (where: string) => readFileSync(join(where, 'secret-key'), 'utf8')
    assert.equal(key(restored), key(dataDir))
    assert.equal(statSync(join(restored, 'secret-key')).mode & 0o777, 0o600)
    const again = await startHouse({ dataDir: restored })
    assert.deepEqual(await read(again, runIds[0] ?? ''), first)
    await again.stop()
  })

  test('overwrites nothing', async () => {
    const manifest = readFileSync(join(whole, 'manifest.json'), 'utf8')
    const { exit, output } = await signalbox(dataDir, ['backup', whole])
    assert.deepEqual([exit, /exists: name a folder that does not/.test(output)], [6, true], output)
    assert.equal(readFileSync(join(whole, 'manifest.json'), 'utf8'), manifest)
    const nowhere = await signalbox(newFolder(), ['backup', join(place, 'nothing')])
    assert.deepEqual([nowhere.exit, /has no database/.test(nowhere.output)], [6, true], nowhere.output)
    assert.equal(existsSync(join(place, 'nothing')), false)
  })

  test('says which objects the store has lost, and leaves them out only when told to', async () => {
    const poorer = newFolder()
    cpSync(join(dataDir, 'secret-key'), join(poorer, 'secret-key'))
    assert.equal((await signalbox(poorer, ['restore', whole])).exit, 0)
    const objects = join(poorer, 'objects/blobs')
    rmSync(join(objects, readdirSync(objects)[0] ?? ''), { recursive: true })
    const refused = await signalbox(poorer, ['backup', join(place, 'poorer')])
    assert.deepEqual([refused.exit, /1 objects of .* are missing/.test(refused.output)], [6, true], refused.output)
    assert.deepEqual(
      readdirSync(place).filter((name) => name.startsWith('poorer')),
      [],
    )
    const allowed = await signalbox(poorer, ['backup', join(place, 'poorer'), '--allow-missing-objects'])
    assert.deepEqual([allowed.exit, /1 objects are lost/.test(allowed.output)], [0, true], allowed.output)
    const restored = newFolder()
    cpSync(join(dataDir, 'secret-key'), join(restored, 'secret-key'))
    assert.equal((await signalbox(restored, ['restore', join(place, 'poorer')])).exit, 0)
  })

  describe('is not restored', () => {
    /** A copy of the backup, spoiled; nothing may be made from it. */
    async function refused(spoil: (copy: string) => void, sentence: RegExp): Promise<void> {
      const copy = join(newFolder(), 'copy')
      cpSync(whole, copy, { recursive: true })
      spoil(copy)
      const target = join(newFolder(), 'data')
      const { exit, output } = await signalbox(place, ['restore', copy, '--data-dir', target])
      assert.equal(exit, 6, output)
      assert.match(output, sentence)
      assert.match(output, /Nothing was changed/)
      assert.equal(existsSync(target), false)
    }

    test('where it is cut, changed or unfinished', async () => {
      await refused((copy) => rmSync(join(copy, 'manifest.json')), /is no backup, or an unfinished one/)
      await refused((copy) => truncateSync(join(copy, 'manifest.json'), 5000), /manifest\.json is cut or changed/)
      await refused((copy) => truncateSync(join(copy, 'tables/runs.copy.zst'), 20), /rows of runs are cut/)
      await refused((copy) => rmSync(join(copy, 'tables/runs.copy.zst')), /rows of runs are missing/)
      await refused((copy) => {
        const objects = join(copy, 'objects')
        const path = readdirSync(objects, { recursive: true, encoding: 'utf8' }).find((name) =>
          statSync(join(objects, name)).isFile(),
        )
        truncateSync(join(objects, path ?? ''), 10)
      }, /1 objects are missing or changed/)
    })

    test('without its key, or with another one', async () => {
      await refused(() => undefined, /secret key of the database is not here\. Set SECRET_KEY/)
      const other = newFolder()
      writeFileSync(join(other, 'secret-key'), `${'7'.repeat(64)}\n`, { mode: 0o600 })
      const { exit, output } = await signalbox(other, ['restore', whole])
      assert.deepEqual([exit, /is not that of the database: version 1 is another key/.test(output)], [6, true], output)
      assert.deepEqual(readdirSync(other), ['secret-key'])
    })

    test('over anything that is there', async () => {
      const full = newFolder()
      mkdirSync(join(full, 'objects'))
      const { exit, output } = await signalbox(full, ['restore', whole])
      assert.deepEqual([exit, /is not empty, it has objects/.test(output)], [6, true], output)
      const held = await signalbox(dataDir, ['restore', whole])
      assert.deepEqual([held.exit, /is not empty/.test(held.output)], [6, true], held.output)
    })
  })

  test('whose restore is killed leaves no state that a start takes for a whole one', async () => {
    const target = newFolder()
    cpSync(join(dataDir, 'secret-key'), join(target, 'secret-key'))
    const env = { ...surroundings, DATA_DIR: target }
    const child = spawn(process.execPath, [SERVER, `--restore=${whole}`], { cwd: target, env, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.on('exit', resolve))
    // Rows come after the cluster is up, objects after the rows.
    await waitFor(
      'the first object',
      async () => existsSync(join(target, 'objects/blobs')),
      (there) => there,
      PATIENCE_MS,
    )
    child.kill('SIGKILL')
    await ended
    assert.match(refusedStart(target), /restore into .* did not end/)
    const { output } = await signalbox(target, ['restore', whole])
    assert.match(output, /restore into .* did not end.*remove the folder/)
    const doctor = await signalbox(target, ['doctor'])
    assert.match(doctor.output, /fail\s+database\s+A restore into/)
    stopLeftover(target)
  })

  test('moves from the embedded to an external database, and from there to another', async () => {
    const database = await startSharedDatabase()
    after(() => database.stop())
    const urlOf = (name: string) => {
      const url = new URL(database.url)
      url.pathname = `/${name}`
      return url.href
    }
    for (const name of ['moved', 'further']) await database.query(`create database ${name}`)
    const moving = newFolder()
    cpSync(join(dataDir, 'secret-key'), join(moving, 'secret-key'))
    assert.equal((await signalbox(moving, ['restore', whole])).exit, 0)

    const running = await startHouse({ dataDir: moving })
    const early = await signalbox(moving, ['migrate-to', urlOf('moved')])
    assert.deepEqual([early.exit, /in use by process/.test(early.output)], [6, true], early.output)
    await running.stop()
    const full = await signalbox(moving, ['migrate-to', database.url])
    assert.deepEqual([full.exit, /database is not empty, it has/.test(full.output)], [6, true], full.output)
    const wrong = await signalbox(moving, ['migrate-to', urlOf('moved')], { SECRET_KEY: '7'.repeat(64) })
    assert.deepEqual([wrong.exit, /another key/.test(wrong.output)], [6, true], wrong.output)
    const moved = await signalbox(moving, ['migrate-to', urlOf('moved')])
    assert.equal(moved.exit, 0, moved.output)
    assert.match(refusedStart(moving), /was moved to .*database moved: set DATABASE_URL/)

    const elsewhere = { DATABASE_URL: urlOf('moved') }
    const there = await startHouse({ dataDir: moving, env: elsewhere })
    assert.deepEqual(await read(there, runIds[0] ?? ''), first)
    const busy = await signalbox(moving, ['migrate-to', urlOf('further')], elsewhere)
    assert.deepEqual([busy.exit, /Control planes still work on the database/.test(busy.output)], [6, true], busy.output)
    await there.stop()
    const on = await signalbox(moving, ['migrate-to', urlOf('further')], elsewhere)
    assert.equal(on.exit, 0, on.output)
    const last = await startHouse({ dataDir: moving, env: { DATABASE_URL: urlOf('further') } })
    assert.deepEqual(await read(last, runIds[0] ?? ''), first)
    await last.stop()
  })
})

function portsOf({ url, runnerUrl }: House): { port: number; runnerPort: number } {
  return { port: Number(new URL(url).port), runnerPort: Number(runnerUrl.split(':')[1]) }
}

/** The server that the killed restore left behind. */
function stopLeftover(dataDir: string): void {
  const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  if (pid > 0) process.kill(pid, 'SIGQUIT')
}
