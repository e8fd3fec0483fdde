import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type BucketServer, startBucketServer } from '../../server/src/adapters/object-store/testing.ts'
import { runProgram } from '../house/cli.ts'
import { type SharedDatabase, startSharedDatabase } from '../house/database.ts'
import { ADMIN_TOKEN, type House, makeDataDir, startHouse } from '../house/house.ts'
import { makeArtifacts } from '../house/kept.ts'
import { makeTeam } from '../house/team.ts'

describe('objects that move from the folder to a bucket', () => {
  const ends = new AsyncDisposableStack()
  const dataDir = newFolder()
  const saved = join(newFolder(), 'saved')
  let s3: BucketServer
  let database: SharedDatabase
  let artifact = ''
  let bytes = ''

  before(async () => {
    s3 = await startBucketServer(newFolder())
    ends.defer(() => s3.close())
    database = await startSharedDatabase()
    ends.defer(() => database.stop())
    const house = await startHouse({ dataDir })
    ends.defer(() => house.stop())
    const { artifacts } = await makeArtifacts(house, house.api, await makeTeam(house.api, 'acme'))
    artifact = artifacts[0] ?? ''
    bytes = await download(house, artifact)
    const { exit, output } = await onFolder(dataDir, ['backup', saved])
    assert.equal(exit, 0, output)
    await house.stop()
  })
  after(() => ends.disposeAsync())

  function newFolder(): string {
    const folder = makeDataDir()
    ends.defer(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  const onFolder = (folder: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runProgram(words, { DATA_DIR: folder, ...env })

  const storeOf = (prefix: string) => `s3://${s3.bucket}/${prefix}`

  const reaching = () => ({
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: s3.key.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.key.secretAccessKey,
  })

  async function emptyDatabase(name: string): Promise<string> {
    await database.query(`create database ${name}`)
    const url = new URL(database.url)
    url.pathname = `/${name}`
    return url.href
  }

  /** The start without the folder's objects: only the bucket can have the bytes. */
  async function readFrom(folder: string, env: Readonly<Record<string, string>>): Promise<string> {
    rmSync(join(folder, 'objects'), { recursive: true, force: true })
    const house = await startHouse({ dataDir: folder, env })
    try {
      return await download(house, artifact)
    } finally {
      await house.stop()
    }
  }

  test('are copied by migrate-to, and served from there', async () => {
    const url = await emptyDatabase('moved')
    const store = storeOf('moved')
    const moved = await onFolder(dataDir, ['migrate-to', url, '--objects-to', store], reaching())
    assert.equal(moved.exit, 0, moved.output)
    assert.match(moved.output, /rows of \d+ tables and [1-9]\d* objects are in/)
    assert.match(moved.output, new RegExp(`DATABASE_URL set to that and OBJECT_STORE=${store}`))
    assert.equal(await readFrom(dataDir, { ...reaching(), DATABASE_URL: url, OBJECT_STORE: store }), bytes)
  })

  test('stay where they are when the bucket cannot be reached, and the other database stays empty', async () => {
    const url = await emptyDatabase('untouched')
    const place = newFolder()
    cpSync(join(dataDir, 'secret-key'), join(place, 'secret-key'))
    assert.equal((await onFolder(place, ['restore', saved])).exit, 0)
    for (const [store, env, sentence] of [
      [
        's3://nobodys/x',
        reaching(),
        /refused a request for bucket nobodys: status 404\. Look at object_store, --objects-to/,
      ],
      [storeOf('x'), { ...reaching(), S3_ENDPOINT: 'http://127.0.0.1:9' }, /cannot be reached: .*\. Look at/],
      [storeOf('x'), {}, /s3_access_key_id/],
    ] as const) {
      const refused = await onFolder(place, ['migrate-to', url, '--objects-to', store], env)
      assert.equal(refused.exit, 6, refused.output)
      assert.match(refused.output, sentence)
      assert.doesNotMatch(refused.output, /^\s+at /m, 'a sentence, no stack')
    }
    assert.notDeepEqual(readdirSync(join(place, 'objects')), [])
    const again = await onFolder(place, ['migrate-to', url, '--objects-to', storeOf('again')], reaching())
    assert.equal(again.exit, 0, again.output)
  })

  test('are restored into the bucket that is configured, and not into the folder', async () => {
    const place = newFolder()
    cpSync(join(dataDir, 'secret-key'), join(place, 'secret-key'))
    const env = { ...reaching(), OBJECT_STORE: storeOf('restored') }
    const restored = await onFolder(place, ['restore', saved], env)
    assert.equal(restored.exit, 0, restored.output)
    assert.equal(existsSync(join(place, 'objects/blobs')), false)
    assert.equal(await readFrom(place, env), bytes)
  })
})

async function download(house: House, artifact: string): Promise<string> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
  const response = await fetch(`${house.url}/v1/artifacts/${artifact}/download`, { headers })
  assert.equal(response.status, 200, artifact)
  return Buffer.from(await response.arrayBuffer()).toString('hex')
}
