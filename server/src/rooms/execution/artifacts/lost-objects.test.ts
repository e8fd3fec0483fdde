import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { createObjectStore, ObjectStoreFailed } from '#adapters/object-store'
import { openSnapshot } from '#platform/database'
import { createFairShares } from '#platform/http'
import { createTestClock, createTestDatabase, createTestKit } from '#platform/testing'
import { openRuns } from '../runs/testing.ts'
import type { ObjectPort } from './actions/object-port.ts'
import { completeBlob, openBlob, storePart } from './actions/store-blob.ts'
import { artifactJobs } from './jobs.ts'
import type { Means } from './means.ts'
import type { TransferSubject } from './rules/index.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-lost-'))
after(() => rm(dataDir, { recursive: true }))
const { database, url } = await createTestDatabase()
const db = database.kysely
const clock = createTestClock()
const kit = createTestKit(database, { clock })
const HOUR_MS = 3_600_000

/** Stands before the store; what it throws the store throws. */
let before: Partial<Record<'put' | 'delete', () => Promise<void>>> = {}
const folder = createObjectStore({ ...kit.config, dataDir })
const objects: ObjectPort = {
  ...folder,
  async put(key, bytes) {
    await before.put?.()
    await folder.put(key, bytes)
  },
  async delete(keys) {
    await before.delete?.()
    await folder.delete(keys)
  },
}
const below = await openRuns(kit)
after(() => below.close())
const means: Means = { ...kit, ...below, objects, api: {}, outgoing: createFairShares(0), completing: new Map() }
const jobs = new Map(artifactJobs(means).map((job) => [job.name, job]))
const work = (name: string) => jobs.get(name)?.run({}, new AbortController().signal)
const stored = async () => (await readdir(join(dataDir, 'objects', 'blobs'), { recursive: true })).toSorted()
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const loose = () => db.selectFrom('loose_objects').select('object').execute()

function aSubject(): TransferSubject {
  const place = { runId: kit.ids.next(), teamPath: 'acme/web', step: 'build', task: 'compile' }
  return { attemptId: kit.ids.next(), ...place, namespace: 'trusted', alsoReads: [] }
}

async function announce(text: string): Promise<() => Promise<void>> {
  const subject = aSubject()
  const { id } = await openBlob(means, subject, { sha256: digest(text), size: text.length, for: 'artifact' })
  return () => storePart(means, subject, { id, number: 0 }, Buffer.from(text))
}

beforeEach(async () => {
  before = {}
  await clock.advance(3 * HOUR_MS)
  await work('artifacts.drop-expired')
  await work('artifacts.delete-objects')
  assert.deepEqual([await stored().catch(() => []), await loose()], [[], []])
})

describe('an object that no part names', () => {
  test('because its server was killed before it was recorded goes an hour later', async () => {
    const program = join(import.meta.dirname, 'testing/part-program.ts')
    const text = 'a part'
    const child: ChildProcess = spawn(process.execPath, [program, url, dataDir, digest(text), text], {
      stdio: 'inherit',
    })
    assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'])
    assert.equal((await stored()).length, 2, 'a folder and the object in it')
    assert.deepEqual(await db.selectFrom('blob_parts').selectAll().execute(), [])
    await clock.advance(2 * HOUR_MS)
    await work('artifacts.delete-objects')
    assert.deepEqual(await stored(), [])
  })

  test('stays as long as somebody may be storing it', async () => {
    const store = await announce('slow')
    const late = Promise.withResolvers<void>()
    const there = Promise.withResolvers<void>()
    before.put = () => {
      there.resolve()
      return late.promise
    }
    const answered = store()
    await there.promise
    await clock.advance(HOUR_MS - 1)
    await work('artifacts.delete-objects')
    late.resolve()
    await answered
    await clock.advance(HOUR_MS)
    await work('artifacts.delete-objects')
    assert.equal((await stored()).length, 2)
    assert.deepEqual(await loose(), [])
  })

  test('is not named by whoever stores it too late: that one sends it again', async () => {
    const text = 'too slow'
    const subject = aSubject()
    const { id } = await openBlob(means, subject, { sha256: digest(text), size: text.length, for: 'artifact' })
    const store = () => storePart(means, subject, { id, number: 0 }, Buffer.from(text))
    before.put = async () => {
      await clock.advance(HOUR_MS + 1)
      await work('artifacts.delete-objects')
    }
    await assert.rejects(store(), { code: 'storage.unavailable' })
    before = {}
    await store()
    await work('artifacts.delete-objects')
    assert.equal((await stored()).length, 2, 'the second one alone')
    await completeBlob(means, subject, id)
  })

  test('is not named while somebody deletes it, and is gone afterwards', async () => {
    const store = await announce('raced')
    before.put = async () => {
      await clock.advance(HOUR_MS + 1)
      // The job has taken the object, and the store answers only after the part was refused.
      before.delete = () => arrived.promise
      deleting = work('artifacts.delete-objects')
      await takenBy()
    }
    const arrived = Promise.withResolvers<void>()
    let deleting: Promise<void> | undefined
    const takenBy = async () => {
      while ((await db.selectFrom('loose_objects').select('taken_at').executeTakeFirst())?.taken_at === null);
    }
    await assert.rejects(store(), { code: 'storage.unavailable' })
    arrived.resolve()
    await deleting
    assert.deepEqual([await stored(), await loose()], [[], []])
  })

  test('stays while a backup copies what rows named when it began', async () => {
    const text = 'backed up'
    await (await announce(text))()
    const backup = await openSnapshot(url, { schemas: [], leaveOut: [] })
    await clock.advance(3 * HOUR_MS)
    await work('artifacts.drop-expired')
    assert.deepEqual(await db.selectFrom('blob_parts').selectAll().execute(), [], 'no row names it any more')
    await work('artifacts.delete-objects')
    assert.equal((await stored()).length, 2)
    await backup.close()
    await work('artifacts.delete-objects')
    assert.deepEqual([await stored(), await loose()], [[], []])
  })

  test('is deleted once the store can be had again, however long it was away', async () => {
    const text = 'replaced'
    const subject = aSubject()
    const { id } = await openBlob(means, subject, { sha256: digest(text), size: text.length, for: 'artifact' })
    await storePart(means, subject, { id, number: 0 }, Buffer.from('wrong...'))
    await storePart(means, subject, { id, number: 0 }, Buffer.from(text))
    before.delete = () => Promise.reject(new ObjectStoreFailed('The object store is away.'))
    await assert.rejects(async () => work('artifacts.delete-objects'), ObjectStoreFailed)
    assert.equal((await stored()).length, 3)
    before = {}
    await clock.advance(1)
    await work('artifacts.delete-objects')
    assert.equal((await stored()).length, 2)
  })
})
