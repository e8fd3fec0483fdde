import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { shareObjects } from '../house/data-folder.ts'
import { startSharedDatabase } from '../house/database.ts'
import { ADMIN_TOKEN, type House, makeDataDir, startHouse } from '../house/house.ts'
import { makeArtifacts } from '../house/kept.ts'
import { surroundings } from '../house/surroundings.ts'
import { makeTeam } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const SERVER = join(import.meta.dirname, '../../server/bin/signalbox-server.mjs')
const SIGNALBOX = join(import.meta.dirname, '../../cli/bin/signalbox.mjs')
const folders = [makeDataDir(), makeDataDir(), makeDataDir()]
const [own = '', shared = '', strange = ''] = folders
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

describe('two control planes that keep objects in a folder', () => {
  const ends = new AsyncDisposableStack()
  let env: Record<string, string>
  let first: House

  before(async () => {
    const database = await startSharedDatabase()
    ends.defer(() => database.stop())
    env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') }
    first = await startHouse({ dataDir: own, env })
    ends.defer(() => first.stop())
  })
  after(() => ends.disposeAsync())

  function ended(program: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...program], {
      cwd: strange,
      env: {
        ...surroundings,
        DATA_DIR: strange,
        PORT: '0',
        RUNNER_PORT: '0',
        LOG_PRETTY: 'false',
        NO_COLOR: '1',
        ...env,
      },
      encoding: 'utf8',
      timeout: 180_000,
    })
    return { status, said: `${stdout}${stderr}` }
  }

  test('must share it: the second one does not start on another, and doctor says so', () => {
    const { status, said } = ended([SERVER])
    assert.equal(status, 2, said)
    assert.match(said, /objects is not the folder that keeps the artifacts .* one shared folder there, or a bucket/)
    assert.doesNotMatch(said, /^\s+at /m)
    assert.equal(existsSync(join(strange, 'objects/.place')), false, 'a refused start changes nothing')
    assert.match(ended([SIGNALBOX, 'doctor']).said, /fail\s+objects\s+.* is not the folder/)
  })

  test('serve what the other one has stored, and are not ready while the folder is away', async () => {
    shareObjects(shared, own)
    const second = await startHouse({ dataDir: shared, env })
    ends.defer(() => second.stop())
    const { artifacts } = await makeArtifacts(first, first.api, await makeTeam(first.api, 'acme'))
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
    const download = (house: House) => fetch(`${house.url}/v1/artifacts/${artifacts[0]}/download`, { headers })
    const answer = await download(second)
    assert.equal(answer.status, 200)
    await answer.arrayBuffer()

    renameSync(join(own, 'objects'), join(own, 'away'))
    const preflight = await waitFor(
      'preflight to say so',
      () => second.api.get<{ blockers: { code: string }[] }>('/v1/setup/preflight'),
      ({ blockers }) => blockers.some(({ code }) => code === 'objects_elsewhere'),
    )
    assert.equal(preflight.blockers.length, 1)
    assert.equal((await second.api.ask('GET', '/healthz')).status, 503)
    const lost = await download(second)
    assert.deepEqual([lost.status, await lost.json().then(codeOf)], [410, 'storage.object_lost'])
    rmSync(join(own, 'objects'), { recursive: true, force: true })
    renameSync(join(own, 'away'), join(own, 'objects'))
    await waitFor(
      'it to be ready again',
      () => second.api.ask('GET', '/healthz'),
      ({ status }) => status === 200,
    )
  })
})

function codeOf(document: unknown): unknown {
  return typeof document === 'object' && document !== null && 'code' in document ? document.code : document
}
