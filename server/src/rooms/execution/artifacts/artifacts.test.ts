import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createZstdCompress, zstdCompressSync } from 'node:zlib'
import { Header, type HeaderData, Pax } from 'tar'
import { createObjectStore, ObjectStoreFailed } from '#adapters/object-store'
import type { HttpServer } from '#platform/http'
import type { RoomParts } from '#platform/room'
import { createTestDatabase, createTestHttp, createTestKit, testAuthenticator, testCaller } from '#platform/testing'
import type { Runs } from '#rooms/execution/runs'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { aRun, openRuns, type RunsHouse } from '../runs/testing.ts'
import { type Artifacts, artifacts, type ObjectPort } from './index.ts'
import { PART_SIZE } from './rules/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'signalbox-artifacts-'))
let http: HttpServer
let parts: RoomParts<Artifacts>
let away = false
/** Waits before an object is read. */
let slow: (() => Promise<void>) | undefined
/** Waits before an object is stored. */
let late: ((bytes: Uint8Array) => Promise<void>) | undefined
/** Attempts that a runner has now. */
const held = new Set<string>()
let below: RunsHouse
let pipeline: { id: string; versionId: string }

// Registered before the database's own: hooks run in that order.
after(async () => {
  await http.close(100)
  await below.close()
  await rm(folder, { recursive: true })
})

const { database } = await createTestDatabase()
const db = database.kysely
const kit = createTestKit(database, { env: { ARTIFACT_QUOTA_MB: '60', CACHE_QUOTA_MB: '3' } })

before(async () => {
  for (const path of ['acme', 'acme/web', 'acme/mobile']) await aTeam(db, path)
  pipeline = await aPipeline(db, 'acme/web/build')
  below = await openRuns(kit)
  const store = createObjectStore({ ...kit.config, dataDir: folder })
  const objects: ObjectPort = {
    ...store,
    get: async (key) => {
      await slow?.()
      return store.get(key)
    },
    put: async (key, bytes) => {
      if (away) throw new ObjectStoreFailed('The object store is away.')
      await late?.(bytes)
      await store.put(key, bytes)
    },
  }
  const runs: Runs = {
    ...below.runs,
    isInHand: async (_db, id) => held.has(id),
    findVisible: async (caller, id, permission) => {
      assert.ok(caller.can(permission, 'acme/web'))
      const times = { queued_at: new Date(), started_at: null, finished_at: null }
      return { id, team_path: 'acme/web', status: 'running', reason: null, ...times }
    },
  }
  parts = await artifacts.open(kit, { ...below, runs, objects, api: { url: 'http://127.0.0.1:1' } })
  http = await createTestHttp(
    parts.routes ?? [],
    testAuthenticator({
      owner: testCaller(),
      reader: testCaller({ acme: ['artifact.read'] }, { id: 'reader' }),
      stranger: testCaller({ other: ['*'] }, { id: 'stranger' }),
    }),
  )
})

interface Attempt {
  readonly runId: string
  readonly token: string
  end(): void
}

const needing = { artifacts: null, needsArtifacts: [], cache: { key: 'k', files: [], paths: ['x'], fallback: [] } }

/** An attempt that a runner has in hand. */
async function anAttempt(
  given: { runId?: string; teamPath?: string; task?: string; fork?: number } = {},
): Promise<Attempt> {
  const teamPath = given.teamPath ?? 'acme/web'
  const runId = given.runId ?? (await aRun(db, pipeline, { teamPath }))
  const attemptId = kit.ids.next()
  held.add(attemptId)
  const place = { attemptId, runId, teamPath, step: 'build', task: given.task ?? 'compile', repository: 'acme/shop' }
  const trust = { untrusted: given.fork !== undefined, pullRequest: given.fork ?? null }
  const files = await parts.door.giveAttempt({ ...place, ...trust }, needing)
  return { runId, token: files?.transfer.token ?? '', end: () => void held.delete(attemptId) }
}

async function ask(attempt: Pick<Attempt, 'token'>, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${attempt.token}` }
  const binary = payload instanceof Uint8Array ? { 'content-type': 'application/octet-stream' } : {}
  const response = await http.app.inject({
    method,
    url: `/v1/transfers${url}`,
    headers: { ...headers, ...binary },
    ...(payload ? { payload } : {}),
  })
  return {
    status: response.statusCode,
    bytes: response.rawPayload,
    headers: response.headers,
    body: read(response.body),
  }
}

function read(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const partOf = (bytes: Buffer, number: number): Buffer => bytes.subarray(number * PART_SIZE, (number + 1) * PART_SIZE)

async function send(attempt: Attempt, bytes: Buffer, purpose: 'artifact' | 'cache' = 'artifact'): Promise<string> {
  const sha256 = digest(bytes)
  const opened = await ask(attempt, 'POST', '/blobs', { sha256, size: bytes.length, for: purpose })
  assert.equal(opened.status, 200, JSON.stringify(opened.body))
  for (const number of opened.body.missing) {
    assert.equal(
      (await ask(attempt, 'PUT', `/blobs/${opened.body.id}/parts/${number}`, partOf(bytes, number))).status,
      204,
    )
  }
  assert.equal((await ask(attempt, 'POST', `/blobs/${opened.body.id}/complete`)).status, 204)
  return sha256
}

async function work(name: string): Promise<void> {
  const job = parts.jobs?.find((one) => one.name === name)
  assert.ok(job, name)
  await job.run({}, new AbortController().signal)
}

const keep = (attempt: Attempt, sha256: string, name = 'dist') =>
  ask(attempt, 'POST', '/artifacts', { name, sha256, files: 3 })

async function people(who: string, method: 'GET' | 'PUT' | 'DELETE', url: string, payload?: object, range?: string) {
  const headers = { authorization: `Bearer ${who}`, ...(range ? { range } : {}) }
  const response = await http.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
  return {
    status: response.statusCode,
    bytes: response.rawPayload,
    headers: response.headers,
    body: read(response.body),
  }
}

describe('the files of an artifact', () => {
  const entry = (path: string, text: string | Buffer = '', fields: HeaderData = {}): Buffer => {
    const content = Buffer.from(text)
    const all = { path, type: 'File', mode: 0o644, size: content.length, ...fields } as const
    const header = new Header(all)
    const longer = header.encode() ? [new Pax({ path }).encode()] : []
    return Buffer.concat([...longer, header.block ?? Buffer.alloc(0), content, Buffer.alloc(-content.length & 511)])
  }
  const artifactOf = async (archive: Buffer): Promise<string> => {
    const attempt = await anAttempt()
    const id = String((await keep(attempt, await send(attempt, archive))).body.id)
    made.push(id)
    return id
  }
  // They would take the space of other tests.
  const made: string[] = []
  after(() => Promise.all(made.map((id) => people('owner', 'DELETE', `/v1/artifacts/${id}`))))
  const packed = (...entries: Buffer[]): Buffer => zstdCompressSync(Buffer.concat([...entries, Buffer.alloc(1024)]))
  const list = (id: string, query = '', who = 'reader') => people(who, 'GET', `/v1/artifacts/${id}/files${query}`)
  const file = (id: string, path: string, more = '', who = 'reader') =>
    people(who, 'GET', `/v1/artifacts/${id}/files/content?path=${encodeURIComponent(path)}${more}`)
  const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(50)])

  test('are listed in pages and read one by one, each as its bytes are', async () => {
    const large = randomBytes(3 * PART_SIZE)
    const deep = `${'a/'.repeat(3000)}b`
    const id = await artifactOf(
      packed(
        entry('./report.html', '<script>alert(1)</script>'),
        entry('./large.bin', large),
        entry('./logo.txt', PNG, { mode: 0o755 }),
        entry('./secret', '', { type: 'SymbolicLink', linkpath: '/etc/passwd' }),
        entry(deep, 'deep'),
        entry('../../../etc/passwd', 'mine'),
        entry('./empty'),
      ),
    )
    const { status, body } = await list(id)
    assert.equal(status, 200)
    assert.deepEqual(body.files[2], { path: 'logo.txt', kind: 'file', size: PNG.length, mode: '755', target: null })
    assert.deepEqual(body.files[3], { path: 'secret', kind: 'link', size: 0, mode: '644', target: '/etc/passwd' })
    assert.deepEqual([body.files.length, body.next, body.unread], [7, null, null])
    const pages = [await list(id, '?limit=3'), await list(id, '?limit=3&after=3'), await list(id, '?limit=3&after=6')]
    assert.deepEqual(
      pages.map((page) => page.body.next),
      [3, 6, null],
    )
    assert.deepEqual(
      pages.flatMap((page) => page.body.files),
      body.files,
    )

    assert.ok((await file(id, 'large.bin')).bytes.equals(large))
    assert.equal((await file(id, deep)).bytes.toString(), 'deep')
    assert.equal((await file(id, '../../../etc/passwd')).bytes.toString(), 'mine')
    assert.deepEqual([(await file(id, './empty')).bytes.length, (await file(id, 'empty')).status], [0, 200])
    assert.equal((await file(id, 'secret')).body.code, 'artifact.no_file')
    for (const path of ['nothing', 'etc/passwd', '/etc/passwd', '..', 'report', 'REPORT.html']) {
      assert.equal((await file(id, path)).body.code, 'artifact.file_unknown', path)
    }
    assert.equal((await people('reader', 'GET', `/v1/artifacts/${id}/files/content`)).status, 400)
    assert.equal((await list(id, '?limit=1001')).status, 400)
  })

  test('are downloads unless a text or image is to be shown, and then sandboxed', async () => {
    const id = await artifactOf(
      packed(
        entry('a.html', '<script>alert(1)</script>'),
        entry('b.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
        entry('c.html', PNG),
        entry('d"; filename=evil.exe\r\nx: y', Buffer.from([0x4d, 0x5a, 0])),
      ),
    )
    const kinds: unknown[] = []
    for (const path of ['a.html', 'b.svg', 'c.html', 'd"; filename=evil.exe\r\nx: y']) {
      for (const more of ['', '&inline=true']) {
        const { status, headers } = await file(id, path, more)
        assert.equal(status, 200)
        assert.match(String(headers['content-security-policy']), /^sandbox; default-src 'none'/)
        assert.equal(headers['x-content-type-options'], 'nosniff')
        assert.match(String(headers['content-disposition']), /^(inline|attachment); filename="[A-Za-z0-9._-]+"$/)
        kinds.push([String(headers['content-disposition']).split(';')[0], headers['content-type']])
      }
    }
    const download = ['attachment', 'application/octet-stream']
    const text = ['inline', 'text/plain; charset=utf-8']
    assert.deepEqual(kinds, [download, text, download, text, download, ['inline', 'image/png'], download, download])
  })

  test('are for who may see the artifact; for others there is none', async () => {
    const id = await artifactOf(packed(entry('a', 'b')))
    const none = await file(kit.ids.next(), 'a')
    for (const answer of [await list(id, '', 'stranger'), await file(id, 'a', '', 'stranger')]) {
      assert.deepEqual([answer.status, answer.body.code], [none.status, none.body.code])
    }
  })

  test('of an archive that is none, broken or endless are refused with a sentence', async () => {
    const whole = packed(entry('first', 'one'), entry('second', randomBytes(200_000)))
    const noTar = zstdCompressSync(Buffer.from('this is no tar'.repeat(1000)))
    for (const [name, archive, files] of [
      ['no zstd', randomBytes(5000), 0],
      ['no tar', noTar, 0],
      ['cut off', whole.subarray(0, 150_000), 2],
    ] as const) {
      const id = await artifactOf(archive)
      const { status, body } = await list(id)
      assert.equal(status, 200, name)
      assert.ok(body.files.length <= files && body.next === null, name)
      assert.match(String(body.unread), /^The .+\.$|^A part .+\.$/, name)
      assert.equal((await file(id, 'nothing')).body.code, 'artifact.unreadable', name)
    }
  })

  test('hold no more memory than they say, whatever is in the archive, and give it back', async () => {
    // 256 MiB of zeros in some ten KiB: far more than may be held.
    const zeros = Buffer.alloc(16 * 1024 * 1024)
    const header = new Header({ path: 'bomb', type: 'File', mode: 0o644, size: 16 * zeros.length })
    header.encode()
    const plain = [header.block ?? zeros, ...Array.from({ length: 16 }, () => zeros), entry('behind', 'found')]
    const bomb = await buffer(Readable.from(plain).pipe(createZstdCompress({ chunkSize: 1024 * 1024 })))
    const many = packed(...Array.from({ length: 10_050 }, (_, at) => entry(`file-${at}`)))
    const [first, second] = [await artifactOf(bomb), await artifactOf(many)]
    const rss = process.memoryUsage.rss()
    const answers = await Promise.all(Array.from({ length: 4 }, () => file(first, 'behind')))
    assert.ok(answers.every(({ bytes }) => bytes.toString() === 'found'))
    assert.ok(process.memoryUsage.rss() - rss < 400 * 1024 * 1024)
    let [place, count, unread]: [number | null, number, unknown] = [0, 0, null]
    while (place !== null) {
      const { body } = await list(second, `?limit=1000&after=${place}`)
      count += body.files.length
      place = body.next
      unread = body.unread
    }
    assert.deepEqual([count, unread], [10_000, 'The archive has more than 10000 entries: download it.'])
  })

  test('that a reader leaves give back their share at once', async () => {
    const id = await artifactOf(packed(entry('large', randomBytes(4 * PART_SIZE))))
    const url = `http://127.0.0.1:${await http.listen('127.0.0.1', 0)}/v1/artifacts/${id}/files/content?path=large`
    // More readers than shares: each reads a little and goes.
    for (let round = 0; round < 40; round++) {
      const leaving = new AbortController()
      const response = await fetch(url, { headers: { authorization: 'Bearer reader' }, signal: leaving.signal })
      assert.equal(response.status, 200)
      await response.body?.getReader().read()
      leaving.abort()
    }
    assert.equal((await file(id, 'large')).bytes.length, 4 * PART_SIZE)
  })
})

describe('sending an archive', () => {
  test('in parts, of which the last is smaller, gives the same bytes back', async () => {
    const attempt = await anAttempt()
    const bytes = randomBytes(2 * PART_SIZE + 5)
    const kept = await keep(attempt, await send(attempt, bytes))
    assert.equal(kept.status, 200)
    assert.equal(kept.body.size, bytes.length)
    const { bytes: whole, headers } = await people('reader', 'GET', `/v1/artifacts/${kept.body.id}/download`)
    assert.ok(whole.equals(bytes))
    assert.equal(headers['content-length'], String(bytes.length))
    assert.match(String(headers['content-disposition']), /build-compile-dist\.tar\.zst/)
  })

  test('goes on where it broke off', async () => {
    const attempt = await anAttempt()
    const bytes = randomBytes(2 * PART_SIZE + 1)
    const input = { sha256: digest(bytes), size: bytes.length, for: 'artifact' }
    const first = await ask(attempt, 'POST', '/blobs', input)
    assert.deepEqual(first.body.missing, [0, 1, 2])
    await ask(attempt, 'PUT', `/blobs/${first.body.id}/parts/1`, partOf(bytes, 1))
    const early = await ask(attempt, 'POST', `/blobs/${first.body.id}/complete`)
    assert.deepEqual([early.status, early.body.code], [409, 'transfer.incomplete'])
    assert.equal((await keep(attempt, input.sha256)).body.code, 'transfer.incomplete')
    const again = await ask(attempt, 'POST', '/blobs', input)
    assert.deepEqual([again.body.id, again.body.missing], [first.body.id, [0, 2]])
    assert.equal((await keep(attempt, await send(attempt, bytes))).status, 200)
  })

  test('of bytes that the team has already sends nothing, and of another team everything', async () => {
    const bytes = randomBytes(100)
    await send(await anAttempt(), bytes)
    const input = { sha256: digest(bytes), size: 100, for: 'artifact' }
    const mine = await ask(await anAttempt(), 'POST', '/blobs', input)
    assert.deepEqual([mine.body.complete, mine.body.missing], [true, []])
    const theirs = await ask(await anAttempt({ teamPath: 'acme/mobile' }), 'POST', '/blobs', input)
    assert.deepEqual([theirs.body.complete, theirs.body.missing], [false, [0]])
  })

  test('that are not what was announced is refused, and can be repaired', async () => {
    const attempt = await anAttempt()
    const bytes = randomBytes(50)
    const opened = await ask(attempt, 'POST', '/blobs', { sha256: digest(bytes), size: 50, for: 'artifact' })
    const part = `/blobs/${opened.body.id}/parts/0`
    for (const number of ['1e0', '0x0', '%200', '0%20', '0.0', '+0', '-0', '00', '0_0', '', '1e400', '9'.repeat(400)]) {
      const refused = await ask(attempt, 'PUT', `/blobs/${opened.body.id}/parts/${number}`, bytes)
      assert.deepEqual([refused.status, refused.body.errors?.[0].field], [400, 'number'], number)
    }
    assert.equal((await ask(attempt, 'PUT', part, bytes.subarray(1))).body.code, 'transfer.part_invalid')
    assert.equal((await ask(attempt, 'PUT', `/blobs/${opened.body.id}/parts/1`, bytes)).status, 400)
    await ask(attempt, 'PUT', part, randomBytes(50))
    const wrong = await ask(attempt, 'POST', `/blobs/${opened.body.id}/complete`)
    assert.deepEqual([wrong.status, wrong.body.code], [409, 'transfer.digest_differs'])
    assert.equal((await keep(attempt, await send(attempt, bytes))).status, 200)
  })

  test('is not kept from being sent by whoever announced its digest with another size', async () => {
    const bytes = randomBytes(50)
    const lie = { sha256: digest(bytes), size: 51, for: 'artifact' }
    assert.equal((await ask(await anAttempt(), 'POST', '/blobs', lie)).status, 200)
    const attempt = await anAttempt()
    assert.equal((await keep(attempt, await send(attempt, bytes))).status, 200)
  })

  test('is not changed by a part that comes late', async () => {
    const attempt = await anAttempt()
    const bytes = randomBytes(50)
    const other = randomBytes(50)
    const { body: opened } = await ask(attempt, 'POST', '/blobs', { sha256: digest(bytes), size: 50, for: 'artifact' })
    const part = `/blobs/${opened.id}/parts/0`
    const arrived = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    late = async (stored) => {
      if (!other.equals(stored)) return
      arrived.resolve()
      await released.promise
    }
    const lateAnswer = ask(attempt, 'PUT', part, other)
    await arrived.promise
    const kept = await keep(attempt, await send(attempt, bytes))
    released.resolve()
    assert.equal((await lateAnswer).status, 204)
    late = undefined
    assert.equal((await ask(attempt, 'PUT', part, other)).status, 204, 'nothing is taken any more')
    assert.ok((await people('reader', 'GET', `/v1/artifacts/${kept.body.id}/download`)).bytes.equals(bytes))
    const objects = () => readdir(join(folder, 'objects', 'blobs', opened.id))
    assert.equal((await objects()).length, 2)
    await work('artifacts.delete-objects')
    assert.equal((await objects()).length, 1)
  })

  test('is read back once for all who ask meanwhile, and by a stranger not at all', async () => {
    const attempt = await anAttempt()
    const bytes = randomBytes(50)
    const { body: opened } = await ask(attempt, 'POST', '/blobs', { sha256: digest(bytes), size: 50, for: 'artifact' })
    await ask(attempt, 'PUT', `/blobs/${opened.id}/parts/0`, bytes)
    const released = Promise.withResolvers<void>()
    const reading = Promise.withResolvers<void>()
    let reads = 0
    slow = async () => {
      reads += 1
      reading.resolve()
      await released.promise
    }
    const complete = (by: Attempt) => ask(by, 'POST', `/blobs/${opened.id}/complete`)
    const first = complete(attempt)
    await reading.promise
    const others = [complete(attempt), complete(attempt)]
    assert.equal((await complete(await anAttempt({ teamPath: 'acme/mobile' }))).status, 404)
    // The others have asked as well by now: none of them can be answered.
    assert.equal(
      (await ask(attempt, 'POST', '/blobs', { sha256: digest(bytes), size: 50, for: 'artifact' })).status,
      200,
    )
    released.resolve()
    assert.deepEqual(
      (await Promise.all([first, ...others])).map(({ status }) => status),
      [204, 204, 204],
    )
    slow = undefined
    assert.equal(reads, 1)
  })

  test('while the object store is away is 503, and goes on afterwards', async () => {
    const attempt = await anAttempt()
    const bytes = randomBytes(10)
    const opened = await ask(attempt, 'POST', '/blobs', { sha256: digest(bytes), size: 10, for: 'artifact' })
    away = true
    const refused = await ask(attempt, 'PUT', `/blobs/${opened.body.id}/parts/0`, bytes)
    away = false
    assert.deepEqual([refused.status, refused.body.code], [503, 'storage.unavailable'])
    assert.equal((await keep(attempt, await send(attempt, bytes))).status, 200)
  })

  test('twice under one name is the same artifact, or a conflict', async () => {
    const attempt = await anAttempt()
    const sha256 = await send(attempt, randomBytes(10))
    const first = await keep(attempt, sha256)
    assert.equal((await keep(attempt, sha256)).body.id, first.body.id)
    const other = await keep(attempt, await send(attempt, randomBytes(10)))
    assert.deepEqual([other.status, other.body.code], [409, 'artifact.name_taken'])
  })
})

describe('a token', () => {
  test('is good as long as a runner has the attempt, and no other is any good', async () => {
    const attempt = await anAttempt()
    const input = { sha256: digest(Buffer.from('x')), size: 1, for: 'artifact' }
    assert.equal((await ask(attempt, 'POST', '/blobs', input)).status, 200)
    const changed = `${attempt.token.slice(0, -6)}AAAAAA`
    for (const token of ['', 'sbxt_', changed, 'sbxu_something']) {
      const answered = await ask({ token }, 'POST', '/blobs', input)
      assert.deepEqual([answered.status, answered.body.code], [401, 'transfer.token_invalid'], token)
    }
    attempt.end()
    assert.equal((await ask(attempt, 'POST', '/blobs', input)).status, 401)
  })

  test('opens the artifacts of its own run only', async () => {
    const maker = await anAttempt()
    const bytes = randomBytes(20)
    const { body } = await keep(maker, await send(maker, bytes))
    const user = await anAttempt({ runId: maker.runId, task: 'deploy' })
    assert.ok((await ask(user, 'GET', `/artifacts/${body.id}`)).bytes.equals(bytes))
    assert.equal((await ask(await anAttempt(), 'GET', `/artifacts/${body.id}`)).status, 404)
  })
})

describe('artifacts', () => {
  test('are listed with their run, and opened by who may see them', async () => {
    const attempt = await anAttempt()
    const { body } = await keep(attempt, await send(attempt, randomBytes(10)))
    const listed = await people('reader', 'GET', `/v1/runs/${attempt.runId}/artifacts`)
    assert.deepEqual(listed.body, [body])
    assert.equal((await people('stranger', 'GET', `/v1/artifacts/${body.id}`)).status, 404)
    assert.equal((await people('stranger', 'GET', `/v1/artifacts/${body.id}/download`)).status, 404)
  })

  test('are read by ranges', async () => {
    const attempt = await anAttempt()
    const bytes = randomBytes(PART_SIZE + 100)
    const { body } = await keep(attempt, await send(attempt, bytes))
    const url = `/v1/artifacts/${body.id}/download`
    for (const [range, first, last] of [
      ['bytes=0-9', 0, 9],
      [`bytes=${PART_SIZE - 5}-${PART_SIZE + 5}`, PART_SIZE - 5, PART_SIZE + 5],
      [`bytes=${PART_SIZE}-`, PART_SIZE, bytes.length - 1],
      ['bytes=-7', bytes.length - 7, bytes.length - 1],
    ] as const) {
      const answered = await people('reader', 'GET', url, undefined, range)
      assert.equal(answered.status, 206, range)
      assert.equal(answered.headers['content-range'], `bytes ${first}-${last}/${bytes.length}`)
      assert.ok(answered.bytes.equals(bytes.subarray(first, last + 1)), range)
    }
    assert.equal((await people('reader', 'GET', url, undefined, `bytes=${bytes.length}-`)).status, 400)
  })

  test('of which the store has lost a piece are no answer that never ends', async () => {
    const attempt = await anAttempt()
    const { body } = await keep(attempt, await send(attempt, randomBytes(100)))
    const { object } = await db
      .selectFrom('blob_parts')
      .innerJoin('blobs', 'id', 'blob_id')
      .select('object')
      .where('blobs.sha256', '=', body.sha256)
      .executeTakeFirstOrThrow()
    await truncate(join(folder, 'objects', object), 99)
    const lost = await people('reader', 'GET', `/v1/artifacts/${body.id}/download`)
    assert.deepEqual([lost.status, lost.body.code], [410, 'storage.object_lost'])
  })

  test('of the last attempt of a task are what later tasks get; one that left none is named', async () => {
    const first = await anAttempt()
    await keep(first, await send(first, randomBytes(10)))
    const second = await anAttempt({ runId: first.runId })
    const { body } = await keep(second, await send(second, randomBytes(10)))
    const place = { attemptId: kit.ids.next(), runId: first.runId, teamPath: 'acme/web', step: 'ship', task: 'push' }
    const trust = { untrusted: false, repository: null, pullRequest: null }
    const needsArtifacts = [
      { step: 'build', task: 'compile' },
      { step: 'build', task: 'absent' },
    ]
    const files = await parts.door.giveAttempt({ ...place, ...trust }, { ...needing, needsArtifacts, cache: null })
    assert.deepEqual(files?.downloads, [{ artifactId: body.id, name: 'dist' }])
    assert.deepEqual(files?.missing, ['build.absent'])
    assert.equal(files?.transfer.url, 'http://127.0.0.1:1')
  })

  test('are deleted by who may, and their bytes go when nothing has the same any more', async () => {
    const attempt = await anAttempt()
    const { body } = await keep(attempt, await send(attempt, randomBytes(10)))
    assert.equal((await people('reader', 'DELETE', `/v1/artifacts/${body.id}`)).status, 403)
    assert.equal((await people('owner', 'DELETE', `/v1/artifacts/${body.id}`)).status, 204)
    const audited = await db.selectFrom('audit_records').select('action').where('resource_id', '=', body.id).execute()
    assert.deepEqual(audited, [{ action: 'artifact.deleted' }])
    assert.equal((await people('owner', 'GET', `/v1/artifacts/${body.id}`)).status, 404)
    const { id } = await db.selectFrom('blobs').select('id').where('sha256', '=', body.sha256).executeTakeFirstOrThrow()
    const objects = (): Promise<string[]> => readdir(join(folder, 'objects', 'blobs', id)).catch(() => [])
    assert.equal((await objects()).length, 1)
    await work('artifacts.drop-expired')
    assert.equal((await objects()).length, 1, 'somebody may be about to use them')
    await db
      .updateTable('blobs')
      .set({ touched_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    await work('artifacts.drop-expired')
    assert.equal(await db.selectFrom('blobs').select('id').where('id', '=', id).executeTakeFirst(), undefined)
    await work('artifacts.delete-objects')
    assert.deepEqual(await objects(), [])
  })

  test('that expired go, and those that did not stay', async () => {
    const attempt = await anAttempt()
    const { body } = await keep(attempt, await send(attempt, randomBytes(10)))
    await work('artifacts.drop-expired')
    assert.equal((await people('owner', 'GET', `/v1/artifacts/${body.id}`)).status, 200)
    await db
      .updateTable('artifacts')
      .set({ expires_at: new Date(0) })
      .where('id', '=', body.id)
      .execute()
    await work('artifacts.drop-expired')
    assert.equal((await people('owner', 'GET', `/v1/artifacts/${body.id}`)).status, 404)
  })
})

describe('quotas', () => {
  beforeEach(async () => {
    await db.deleteFrom('blobs').where('used_at', 'is', null).execute()
  })

  test('are the nearest that a team or one above it has, and refuse before anything is sent', async () => {
    const teamPath = 'acme/mobile'
    const url = `/v1/storage?team_path=${encodeURIComponent(teamPath)}`
    assert.equal((await people('owner', 'GET', url)).body.artifact_quota_bytes, 60 * 1024 * 1024)
    const set = { team_path: 'acme', artifact_quota_bytes: 100 }
    assert.equal((await people('reader', 'PUT', '/v1/storage', set)).status, 403)
    assert.equal((await people('owner', 'PUT', '/v1/storage', set)).status, 200)
    assert.equal((await people('owner', 'GET', url)).body.artifact_quota_bytes, 100)
    const attempt = await anAttempt({ teamPath })
    await keep(attempt, await send(attempt, randomBytes(60)))
    const input = { sha256: digest(randomBytes(60)), size: 60, for: 'artifact' }
    const refused = await ask(await anAttempt({ teamPath }), 'POST', '/blobs', input)
    assert.deepEqual([refused.status, refused.body.code], [413, 'artifact.quota_exceeded'])
    assert.match(refused.body.detail, /acme\/mobile keeps .* raise the quota/)
    assert.equal((await people('owner', 'GET', url)).body.artifact_bytes, 60)
    await people('owner', 'PUT', '/v1/storage', { team_path: 'acme', artifact_quota_bytes: null })
  })

  const teamPath = 'acme/mobile'
  const usage = async () => (await people('owner', 'GET', `/v1/storage?team_path=${teamPath}`)).body
  const limit = (limits: object) => people('owner', 'PUT', '/v1/storage', { team_path: teamPath, ...limits })
  const announce = async (bytes: Buffer, purpose = 'artifact') =>
    ask(await anAttempt({ teamPath }), 'POST', '/blobs', { sha256: digest(bytes), size: bytes.length, for: purpose })

  test('two that would share the last place: one gets it, from its announcement on', async () => {
    await limit({ artifact_quota_bytes: (await usage()).artifact_bytes + 50 })
    const both = [randomBytes(40), randomBytes(40)]
    const answers = await Promise.all(both.map((bytes) => announce(bytes)))
    assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 413])
    const refused = answers.find((answer) => answer.status === 413)
    assert.match(refused?.body.detail, /this one has 0\.0 MB, and 0\.0 MB more were announced in the last hours\./)
    const [winner] = both.filter((_, at) => answers[at]?.status === 200)
    assert.ok(winner)
    assert.equal((await announce(winner)).status, 200, 'it does not stand in its own way')
    const attempt = await anAttempt({ teamPath })
    assert.equal((await keep(attempt, await send(attempt, winner))).status, 200)
    assert.equal((await announce(randomBytes(11))).status, 413)
    assert.equal((await announce(randomBytes(10))).status, 200)
  })

  test('one digest that is announced with several sizes counts with all of them', async () => {
    await limit({ artifact_quota_bytes: (await usage()).artifact_bytes + 50 })
    const attempt = await anAttempt({ teamPath })
    const say = (size: number) => ask(attempt, 'POST', '/blobs', { sha256: 'a'.repeat(64), size, for: 'artifact' })
    assert.deepEqual([(await say(30)).status, (await say(31)).status, (await say(20)).status], [200, 413, 200])
  })

  test('the same bytes twice are two artifacts, of which one has no place', async () => {
    const bytes = randomBytes(30)
    await limit({ artifact_quota_bytes: (await usage()).artifact_bytes + 40 })
    const attempts = [await anAttempt({ teamPath }), await anAttempt({ teamPath })]
    const digests = await Promise.all(attempts.map((attempt) => send(attempt, bytes)))
    const answers = await Promise.all(attempts.map((attempt, at) => keep(attempt, digests[at] ?? '')))
    assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 413])
  })

  test('what is sent and never kept counts for an hour, and then goes', async () => {
    await limit({ cache_quota_bytes: 100, artifact_quota_bytes: null })
    const attempt = await anAttempt({ teamPath })
    await send(attempt, randomBytes(60), 'cache')
    const refused = await announce(randomBytes(41), 'cache')
    assert.deepEqual([refused.status, refused.body.code], [413, 'cache.quota_exceeded'])
    assert.match(refused.body.detail, /^acme\/mobile may keep 0\.0 MB of caches; this one has/)
    assert.equal((await announce(randomBytes(41))).status, 200, 'artifacts have a room of their own')
    await db
      .updateTable('blobs')
      .set({ touched_at: new Date(kit.clock.now().getTime() - 3_600_001) })
      .execute()
    await work('artifacts.drop-expired')
    assert.equal((await announce(randomBytes(100), 'cache')).status, 200)
  })

  test('caches that are kept make room for newer ones', async () => {
    await limit({ cache_quota_bytes: 100 })
    for (const key of ['one', 'two', 'three']) {
      const attempt = await anAttempt({ teamPath })
      const sha256 = await send(attempt, randomBytes(80), 'cache')
      assert.equal((await ask(attempt, 'POST', '/caches', { key, sha256 })).body.stored, true)
    }
    assert.equal((await usage()).cache_bytes, 80)
  })
})

describe('caches', () => {
  const store = async (attempt: Attempt, key: string, bytes: Buffer) =>
    ask(attempt, 'POST', '/caches', { key, sha256: await send(attempt, bytes, 'cache') })
  const find = async (attempt: Attempt, key: string, fallback: string[] = []) =>
    (await ask(attempt, 'POST', '/caches/lookup', { key, fallback })).body.hit

  test('are found by their key, else by the newest that begins with a fallback', async () => {
    const attempt = await anAttempt()
    for (const key of ['npm-1', 'npm-2', 'nqm-3']) await store(attempt, key, Buffer.from(key))
    const exact = await find(await anAttempt(), 'npm-1', ['npm-'])
    assert.deepEqual([exact.key, exact.exact], ['npm-1', true])
    const near = await find(await anAttempt(), 'npm-9', ['other-', 'npm-'])
    assert.deepEqual([near.key, near.exact], ['npm-2', false])
    assert.equal(await find(await anAttempt(), 'npm-9', ['cargo-']), null)
    const user = await anAttempt()
    assert.equal(String((await ask(user, 'GET', `/caches/${near.id}`)).bytes), 'npm-2')
    assert.equal((await ask(await anAttempt({ teamPath: 'acme/mobile' }), 'GET', `/caches/${near.id}`)).status, 404)
  })

  test('of one key stay what they were first; the same again is no other', async () => {
    const attempt = await anAttempt()
    assert.equal((await store(attempt, 'once', Buffer.from('a'))).body.stored, true)
    assert.equal((await store(await anAttempt(), 'once', Buffer.from('a'))).body.stored, true)
    const second = await store(attempt, 'once', Buffer.from('b'))
    assert.deepEqual([second.status, second.body.stored], [200, false])
    assert.equal((await find(attempt, 'once')).sha256, digest(Buffer.from('a')))
  })

  test('whose key was taken meanwhile give their space back at once', async () => {
    const attempt = await anAttempt()
    const large = () => randomBytes(2 * 1024 * 1024)
    const there = () => readdir(join(folder, 'objects', 'blobs'))
    await store(attempt, 'taken', Buffer.from('first'))
    await work('artifacts.delete-objects')
    const earlier = await there()
    const { stored, reason } = (await store(attempt, 'taken', large())).body
    assert.deepEqual([stored, reason], [false, 'The key is taken, and its archive stays.'])
    const sha256 = await send(attempt, large(), 'cache')
    const answers = await Promise.all([1, 2].map(() => ask(attempt, 'POST', '/caches', { key: 'taken', sha256 })))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
      'the answer to the first one may be lost',
    )
    const waiting = db.selectFrom('blobs').select('id').where('used_at', 'is', null).where('purpose', '=', 'cache')
    assert.deepEqual(await waiting.execute(), [])
    await work('artifacts.delete-objects')
    assert.deepEqual(await there(), earlier)
  })

  test('whose key was taken stay for an hour where another attempt has announced the same', async () => {
    const attempt = await anAttempt()
    await store(attempt, 'shared', Buffer.from('first'))
    const bytes = randomBytes(100)
    const other = await anAttempt()
    const [sha256] = [await send(attempt, bytes, 'cache'), await send(other, bytes, 'artifact')]
    assert.equal((await ask(attempt, 'POST', '/caches', { key: 'shared', sha256 })).body.stored, false)
    assert.equal((await keep(other, sha256)).status, 200)
  })

  test('of a fork are found by runs of its pull request only, which find those of trusted runs', async () => {
    const fork = await anAttempt({ fork: 7 })
    await store(fork, 'deps', Buffer.from('poison'))
    assert.equal(await find(await anAttempt(), 'deps', ['dep']), null)
    assert.equal(await find(await anAttempt({ fork: 8 }), 'deps'), null)
    assert.equal((await find(await anAttempt({ fork: 7 }), 'deps')).exact, true)
    const entry = await find(fork, 'deps')
    assert.equal((await ask(await anAttempt(), 'GET', `/caches/${entry.id}`)).status, 404)
    await store(await anAttempt(), 'tools', Buffer.from('trusted'))
    assert.equal((await find(fork, 'tools')).exact, true)
  })

  test('that were not used for the longest time go when there are too many; one that is too large is not stored', async () => {
    const attempt = await anAttempt()
    const mb = 1024 * 1024
    await store(attempt, 'old', randomBytes(mb))
    await store(attempt, 'middle', randomBytes(mb))
    assert.ok(await find(attempt, 'old'), 'used, so that the other one is older now')
    await store(attempt, 'new', randomBytes(1.5 * mb))
    assert.equal(await find(attempt, 'middle'), null)
    assert.ok(await find(attempt, 'old'))
    const huge = { sha256: digest(randomBytes(4)), size: 4 * mb, for: 'cache' }
    assert.equal((await ask(attempt, 'POST', '/blobs', huge)).body.code, 'cache.quota_exceeded')
  })
})
