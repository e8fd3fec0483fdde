import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { readConfig } from '#platform/config'
import { MasterKeyWrong } from '#platform/crypto'
import { createLog } from '#platform/log'
import { createTestDatabase } from '#platform/testing'
import { obtainKeys } from './obtain-keys.ts'

const { database, url } = await createTestDatabase()
const log = createLog({ level: 'silent', pretty: false })
const home = mkdtempSync(join(tmpdir(), 'signalbox-keys-'))
const [older, newer, strange] = [1, 2, 3].map(() => randomBytes(32).toString('hex'))
after(() => rmSync(home, { recursive: true }))

let dataDir = ''
beforeEach(async () => {
  dataDir = mkdtempSync(join(home, 'data-'))
  await database.kysely.deleteFrom('key_checks').execute()
})

/** What a start does about keys; with `EXTERNAL` the database is one of the operator's. */
const EXTERNAL = { DATABASE_URL: url }
const keysOf = (env: Readonly<Record<string, string>> = {}, folder = dataDir) =>
  obtainKeys(readConfig({ env: { DATA_DIR: folder, ...env }, cwd: home, isTerminal: false }), url, log)

async function refusal(env: Readonly<Record<string, string>> = {}, folder = dataDir): Promise<string> {
  let sentence = ''
  await assert.rejects(keysOf(env, folder), (error) => {
    if (error instanceof MasterKeyWrong) sentence = error.message
    return error instanceof MasterKeyWrong
  })
  return sentence
}

describe('the key of a database in the data folder', () => {
  test('is made once, for its owner alone, and is the same at the next start', async () => {
    const first = await keysOf()
    assert.equal(statSync(join(dataDir, 'secret-key')).mode & 0o777, 0o600)
    assert.deepEqual(await keysOf(), first)
  })

  test('that is gone is not replaced: the sentence says how to bring it back, and that works', async () => {
    const first = await keysOf()
    const path = join(dataDir, 'secret-key')
    const text = readFileSync(path, 'utf8')
    rmSync(path)
    const sentence = await refusal()
    assert.ok(sentence.includes(`bring ${path} back from the backup`), sentence)
    assert.equal(existsSync(path), false)
    assert.deepEqual(await keysOf({ SECRET_KEY: text.trim() }), first)
    writeFileSync(path, text)
    assert.deepEqual(await keysOf(), first)
  })

  test('that is empty, as a crash of the machine leaves it, is named', async () => {
    writeFileSync(join(dataDir, 'secret-key'), '')
    assert.match(await refusal(), /secret-key is empty/)
  })

  test('that belongs to another database is refused, and says how to adopt or leave that one', async () => {
    await keysOf()
    const elsewhere = mkdtempSync(join(home, 'data-'))
    writeFileSync(join(elsewhere, 'secret-key'), `${strange}\n`)
    const sentence = await refusal({}, elsewhere)
    assert.match(sentence, /version 1 is another key/)
    assert.ok(sentence.includes(`move ${elsewhere}/postgres away`), sentence)
    assert.match(sentence, /SECRET_KEY_LOST=true/)
  })

  test('that is lost for good is given up by one start that says so', async () => {
    const first = await keysOf()
    rmSync(join(dataDir, 'secret-key'))
    const second = await keysOf({ SECRET_KEY_LOST: 'true' })
    assert.notDeepEqual(second, first)
    assert.deepEqual(await keysOf(), second)
  })
})

describe('the key of a database elsewhere', () => {
  test('is never made, whether the database knows one or not', async () => {
    assert.match(await refusal(EXTERNAL), /secret_key is required/)
    await keysOf({ ...EXTERNAL, SECRET_KEY: older ?? '' })
    assert.match(await refusal(EXTERNAL), /set SECRET_KEY to the key that was used before/)
    assert.equal(existsSync(join(dataDir, 'secret-key')), false)
  })

  test('may be one of several versions, of which one at least was there before', async () => {
    await keysOf({ ...EXTERNAL, SECRET_KEY: `1=${older}` })
    assert.match(await refusal({ ...EXTERNAL, SECRET_KEY: `2=${newer}` }), /version 1 is missing/)
    await keysOf({ ...EXTERNAL, SECRET_KEY: `1=${older},2=${newer}` })
    assert.match(await refusal({ ...EXTERNAL, SECRET_KEY: `1=${older},2=${strange}` }), /version 2 is another key/)
    const alone = await keysOf({ ...EXTERNAL, SECRET_KEY: `2=${newer}` })
    assert.deepEqual([...alone.keys()], [2])
  })

  test('is that of the first of two control planes that start at once', async () => {
    const ended = await Promise.allSettled(
      [older, strange].map((key) => keysOf({ ...EXTERNAL, SECRET_KEY: key ?? '' })),
    )
    assert.deepEqual(ended.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  })

  test('is not in the database: what is stored there opens nothing and names nothing', async () => {
    await keysOf({ ...EXTERNAL, SECRET_KEY: older ?? '' })
    const [row] = await database.kysely.selectFrom('key_checks').select('fingerprint').execute()
    assert.equal(row?.fingerprint.length, 32)
    assert.notEqual(row?.fingerprint.toString('hex'), older)
  })
})
