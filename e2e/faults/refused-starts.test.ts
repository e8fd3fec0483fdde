import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { makeDataDir, startHouse } from '../house/house.ts'
import { onOwnDisk, withoutOwnDisk } from '../house/own-disk.ts'
import { surroundings } from '../house/surroundings.ts'

const SERVER = join(import.meta.dirname, '../../server/bin/signalbox-server.mjs')
const SIGNALBOX = join(import.meta.dirname, '../../cli/bin/signalbox.mjs')
const folders: string[] = []
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function newFolder(): string {
  const folder = makeDataDir()
  folders.push(folder)
  return folder
}

/** A start that must end by itself: its code, and the reason that it prints. */
function refusedStart(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  program = [SERVER],
  within: readonly string[] = [],
) {
  const [command = '', ...args] = [...within, process.execPath, ...program]
  const { status, stderr } = spawnSync(command, args, {
    cwd: dataDir,
    env: { ...surroundings, DATA_DIR: dataDir, PORT: '0', RUNNER_PORT: '0', LOG_PRETTY: 'false', ...env },
    encoding: 'utf8',
    timeout: 180_000,
  })
  const said = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  assert.doesNotMatch(stderr, /^\s+at /m, 'a sentence, no stack')
  return { status, said }
}

describe('a start that cannot go on says why in one sentence', () => {
  test('where its database cannot be reached; it may be tried again', async () => {
    const env = { DATABASE_URL: `postgres://ada:hunter22@127.0.0.1:${await freePort()}/x`, SECRET_KEY: '0'.repeat(64) }
    const { status, said } = refusedStart(newFolder(), env)
    assert.deepEqual([status, said.length], [1, 1])
    assert.match(said[0] ?? '', /^signalbox: .*nothing listens there/)
    assert.doesNotMatch(said[0] ?? '', /hunter22/)
  })

  test('where its data folder cannot be', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), '')
    const { status, said } = refusedStart(folder, { DATA_DIR: join(folder, 'file/data') })
    assert.deepEqual([status, said.length], [2, 1])
    assert.match(said[0] ?? '', /file\/data cannot be used \(ENOTDIR\)/)
  })

  test('where the disk is full at the first start; it may be tried again', { skip: withoutOwnDisk }, () => {
    // The disk is too small for a database.
    const { status, said } = refusedStart(newFolder(), {}, [SERVER], onOwnDisk('8m', 'DATA_DIR'))
    assert.equal(status, 1)
    assert.match(said.at(-1) ?? '', /No space left on device.* Make room on the disk/)
  })

  test('where its certificate is half configured, or cannot be used', () => {
    const dataDir = newFolder()
    const half = refusedStart(dataDir, { TLS_CERTIFICATE_FILE: 'api.crt' })
    assert.deepEqual(half, {
      status: 2,
      said: ['signalbox: tls_certificate_file is set and tls_key_file is not: set both, or none.'],
    })
    const absent = refusedStart(dataDir, { RUNNER_TLS_CERT: 'api.crt', RUNNER_TLS_KEY: 'api.key' })
    assert.equal(absent.status, 2)
    assert.match(absent.said[0] ?? '', /^signalbox: runner_tls_cert \(api\.crt\) cannot be read: ENOENT/)
    assert.equal(existsSync(join(dataDir, 'postgres')), false, 'before anything was begun')
  })

  test('also by `signalbox up` and `serve`, which end with the same code', () => {
    const dataDir = newFolder()
    writeFileSync(join(dataDir, 'postgres'), 'not a folder')
    for (const command of ['up', 'serve']) {
      const { status, said } = refusedStart(dataDir, {}, [SIGNALBOX, command, '--no-page'])
      assert.equal(status, 2)
      assert.equal(said.length, 2, said.join('\n'))
      assert.match(said[0] ?? '', /^signalbox: .*postgres is not a folder/)
      assert.match(said[1] ?? '', /did not start/)
    }
  })

  test('where the key of its database is gone, or is another one, or has no database any more', async () => {
    const dataDir = newFolder()
    const first = await startHouse({ dataDir })
    await first.api.send('POST', '/v1/teams', { path: 'acme', name: 'Acme' })
    await first.stop()
    const key = join(dataDir, 'secret-key')
    const text = readFileSync(key, 'utf8')

    rmSync(key)
    assert.match(doctor(dataDir).get('secret key') ?? '', /^fail .*secret-key is missing/)
    const gone = refusedStart(dataDir)
    assert.deepEqual([gone.status, gone.said.length], [2, 1])
    assert.ok(gone.said[0]?.includes(`bring ${key} back`), gone.said[0])
    assert.equal(existsSync(key), false)

    writeFileSync(key, `${'7'.repeat(64)}\n`, { mode: 0o600 })
    const other = refusedStart(dataDir)
    assert.deepEqual([other.status, other.said.length], [2, 1])
    assert.match(other.said[0] ?? '', /another key/)

    writeFileSync(key, text, { mode: 0o600 })
    const cluster = join(dataDir, 'postgres')
    renameSync(cluster, `${cluster}.lost`)
    const lost = refusedStart(dataDir)
    assert.deepEqual([lost.status, lost.said.length], [2, 1])
    assert.match(lost.said[0] ?? '', /has no database\. .*restore the database/)
    assert.equal(existsSync(cluster), false)

    renameSync(`${cluster}.lost`, cluster)
    const again = await startHouse({ dataDir })
    assert.equal((await again.api.ask('GET', '/v1/teams/acme')).status, 200)
    await again.stop()
  })

  test('and `signalbox doctor` finds the same without a start', async () => {
    const spoiled = newFolder()
    writeFileSync(join(spoiled, 'postgres'), 'not a folder')
    assert.match(doctor(spoiled).get('database') ?? '', /^fail .*postgres is not a folder/)
    assert.equal(readFileSync(join(spoiled, 'postgres'), 'utf8'), 'not a folder')

    const alone = newFolder()
    writeFileSync(join(alone, 'secret-key'), `${'7'.repeat(64)}\n`, { mode: 0o600 })
    assert.match(doctor(alone).get('secret key') ?? '', /^fail .*has no database beside it/)

    const full = doctor(newFolder(), { MIN_FREE_DISK: '1024GiB' })
    assert.match(full.get('database') ?? '', /^ok .*the first start makes it/)
    assert.match(full.get('disk') ?? '', /^fail \d+ MiB are free/)

    const away = { DATABASE_URL: `postgres://ada:hunter22@127.0.0.1:${await freePort()}/x` }
    const found = doctor(newFolder(), away)
    assert.match(found.get('database') ?? '', /^fail .*nothing listens there/)
    assert.match(found.get('secret key') ?? '', /^fail .*needs a SECRET_KEY/)
  })
})

/** The findings of doctor in a data folder, by check. */
function doctor(dataDir: string, env: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  const { status, stdout } = spawnSync(process.execPath, [SIGNALBOX, 'doctor', '--json'], {
    cwd: dataDir,
    env: { ...surroundings, HOME: dataDir, DATA_DIR: dataDir, PORT: '0', RUNNER_PORT: '0', ...env },
    encoding: 'utf8',
  })
  assert.equal(status, 7)
  const findings = JSON.parse(stdout) as { level: string; name: string; message: string }[]
  return new Map(findings.map(({ level, name, message }) => [name, `${level} ${message}`]))
}
