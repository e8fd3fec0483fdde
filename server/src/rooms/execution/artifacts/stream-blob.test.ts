import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { after, describe, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { Header } from 'tar'
import { createFairShares } from '#platform/http'
import { createTestClock, createTestDatabase, createTestKit, until } from '#platform/testing'
import { openRuns } from '../runs/testing.ts'
import { openFile } from './actions/read-files.ts'
import { streamBlob } from './actions/stream-blob.ts'
import { PART_SIZE } from './rules/index.ts'

const { database } = await createTestDatabase()
const kit = createTestKit(database)
const below = await openRuns(kit)
after(() => below.close())
const never = new AbortController().signal

/** An archive of two parts, and a reader with the right to it. */
async function anArchive() {
  const blob = { id: kit.ids.next(), size: 2 * PART_SIZE, sha256: 'a'.repeat(64) }
  const at = kit.clock.now()
  const { id, sha256, size } = blob
  const row = {
    id,
    team_path: `acme/${id}`,
    sha256,
    size,
    created_at: at,
    touched_at: at,
    purpose: 'artifact' as const,
  }
  await database.kysely.insertInto('blobs').values(row).execute()
  const parts = [0, 1].map((number) => ({ blob_id: id, number, size: PART_SIZE, sha256, object: `blobs/${number}` }))
  await database.kysely.insertInto('blob_parts').values(parts).execute()
  return blob
}

function aPlace(most: number) {
  const clock = createTestClock()
  const asked: string[] = []
  const objects = {
    get: async (key: string) => {
      asked.push(key)
      return Buffer.alloc(PART_SIZE)
    },
    put: () => Promise.reject(new Error('not asked')),
    delete: () => Promise.reject(new Error('not asked')),
    check: () => Promise.resolve(),
  }
  return { ...kit, ...below, objects, api: {}, outgoing: createFairShares(most), completing: new Map(), clock, asked }
}

const by = (holder: string) => ({ range: undefined, signal: never, holder })

describe('an archive that is sent', () => {
  test('is read a part at a time, and waits in the store for a slow reader', async () => {
    const place = aPlace(64 * PART_SIZE)
    const { body: stream } = await streamBlob(place, await anArchive(), by('one'))
    let bytes = 0
    for await (const piece of stream) {
      bytes += piece.length
      await place.clock.advance(59_000)
      if (bytes < PART_SIZE / 2) assert.equal(place.asked.length, 1, 'the second part before the first was taken')
    }
    assert.equal(bytes, 2 * PART_SIZE)
    assert.deepEqual(place.asked, ['blobs/0', 'blobs/1'])
  })

  test('is answered with 410 where the store has lost its first part', async () => {
    const place = aPlace(2 * PART_SIZE)
    const objects = { ...place.objects, get: async () => undefined }
    const lost = streamBlob({ ...place, objects }, await anArchive(), by('one'))
    await assert.rejects(lost, { code: 'storage.object_lost', status: 410, message: /Part 0 .* not whole/ })
  })

  test('is cut when nothing is taken for a minute, and gives its memory back', async () => {
    const place = aPlace(2 * PART_SIZE)
    const { body: stream } = await streamBlob(place, await anArchive(), by('one'))
    stream.read(0)
    await once(stream, 'readable')
    assert.equal(place.outgoing.mayTake('one', PART_SIZE), false)
    const cut = once(stream, 'error')
    await place.clock.advance(60_000)
    assert.match(String(await cut), /takes nothing any more/)
    assert.equal(place.outgoing.mayTake('one', PART_SIZE), true)
  })

  test('takes its share of the memory: one who has many of them waits, and others do not', async () => {
    const place = aPlace(4 * PART_SIZE)
    const archive = await anArchive()
    const own = [await streamBlob(place, archive, by('one')), await streamBlob(place, archive, by('one'))]
    const third = streamBlob(place, archive, by('one'))
    const another = await streamBlob(place, archive, by('another'))
    assert.equal(another.status, 200)
    another.body.destroy()
    own[0]?.body.destroy()
    await Promise.all(own.slice(0, 1).map(({ body }) => once(body, 'close')))
    await place.clock.advance(1000)
    assert.equal((await third).status, 200)
    const refused = assert.rejects(streamBlob(place, archive, by('one')), { code: 'overloaded' })
    await place.clock.advance(20_000)
    await refused
  })

  test('takes nothing where it cannot be read', async () => {
    const place = aPlace(2 * PART_SIZE)
    const archive = await anArchive()
    place.objects.get = () => Promise.reject(new Error('away'))
    await assert.rejects(streamBlob(place, archive, by('one')), /away/)
    assert.equal(place.outgoing.mayTake('one', 2 * PART_SIZE), true)
  })
})

test('one file of an archive is cut, and gives its share back, where the client stops reading', async () => {
  const most = 64 * 1024 * 1024
  const place = aPlace(most)
  // More than the buffers of two sockets hold.
  const content = randomBytes(12 * 1024 * 1024)
  const header = new Header({ type: 'File', mode: 0o644, size: content.length, path: 'large' })
  header.encode()
  const bytes = zstdCompressSync(Buffer.concat([header.block ?? Buffer.alloc(512), content, Buffer.alloc(1024)]))
  const archive = { ...(await anArchive()), size: bytes.length }
  const objects = {
    ...place.objects,
    get: async (key: string) => {
      const number = Number(key.split('/')[1])
      return bytes.subarray(number * PART_SIZE, (number + 1) * PART_SIZE)
    },
  }
  const answered = Promise.withResolvers<void>()
  const server = createServer(async (_request, response) => {
    const { body } = await openFile({ ...place, objects }, archive, { path: 'large' }, by('one'))
    answered.resolve()
    if (body) await pipeline(body, response).catch(() => undefined)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const client = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
  client.pause()
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await answered.promise
  assert.equal(place.outgoing.mayTake('one', most), false)
  await until(
    'the share to be given back',
    async () => {
      await place.clock.advance(60_000)
      return place.outgoing.mayTake('one', most)
    },
    (isBack) => isBack,
  )
  client.destroy()
  server.close()
})
