import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createFolderStore } from './folder-store.ts'
import { createObjectStore, type ObjectStore, ObjectStoreFailed } from './index.ts'
import { createS3Store } from './s3-store.ts'
import { startBucketServer } from './testing.ts'

const folder = await mkdtemp(join(tmpdir(), 'signalbox-objects-'))
const s3 = await startBucketServer(join(folder, 's3'))
const { endpoint, key: KEY } = s3
const stores = new Map<string, ObjectStore>()

before(() => {
  stores.set('a folder', createFolderStore(join(folder, 'files')))
  stores.set('a bucket', createS3Store({ bucket: 'objects', prefix: 'signalbox/test', endpoint, ...KEY }))
})
after(async () => {
  await s3.close()
  await rm(folder, { recursive: true })
})

for (const name of ['a folder', 'a bucket']) {
  const store = (): ObjectStore => {
    const found = stores.get(name)
    assert.ok(found)
    return found
  }
  describe(`objects in ${name}`, () => {
    test('are read as they were written, whatever their bytes and size', async () => {
      for (const size of [0, 1, 8 * 1024 * 1024]) {
        const bytes = randomBytes(size)
        await store().put(`blobs/size-${size}/0`, bytes)
        assert.ok((await store().get(`blobs/size-${size}/0`))?.equals(bytes))
      }
    })

    test('are written from a part of a larger buffer', async () => {
      const whole = Buffer.from('before|the part|after')
      await store().put('slice/0', whole.subarray(7, 15))
      assert.equal(String(await store().get('slice/0')), 'the part')
    })

    test('that are not there are undefined, and gone after they were deleted', async () => {
      assert.equal(await store().get('never/0'), undefined)
      await store().put('gone/0', Buffer.from('x'))
      await store().delete(['gone/0', 'never/0'])
      assert.equal(await store().get('gone/0'), undefined)
    })

    test('are replaced whole', async () => {
      await store().put('again/0', Buffer.from('a long first version'))
      await store().put('again/0', Buffer.from('second'))
      assert.equal(String(await store().get('again/0')), 'second')
    })

    test('have keys of one form, so that no name leads elsewhere', async () => {
      for (const key of ['', '../x', 'a/../../x', '/etc/passwd', 'a//b', 'A', 'a/.b', `a${'/a'.repeat(8)}`]) {
        await assert.rejects(async () => store().put(key, Buffer.from('x')), RangeError, key)
      }
    })

    test('can be asked for', () => store().check())
  })
}

describe('a store that cannot be had', () => {
  test('says which, and no credential', async () => {
    const away = createS3Store({ bucket: 'objects', prefix: '', endpoint: 'http://127.0.0.1:9', ...KEY })
    const error = await away.put('a/0', Buffer.from('x')).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof ObjectStoreFailed)
    assert.match(error.message, /http:\/\/127\.0\.0\.1:9 cannot be reached/)
    assert.doesNotMatch(error.message, /S3RVER/)
    const missing = createS3Store({ bucket: 'nobodys', prefix: '', endpoint, ...KEY })
    await assert.rejects(missing.put('a/0', Buffer.from('x')), /bucket nobodys: NoSuchBucket, status 404/)
    await assert.rejects(missing.get('a/0'), /bucket nobodys: NoSuchBucket, status 404/, 'its objects may be there')
    await assert.rejects(missing.check(), ObjectStoreFailed)
  })

  test('in the middle of an answer is one that cannot be had', async () => {
    const broken = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half of it', () => response.destroy())
    }).listen(0, '127.0.0.1')
    await once(broken, 'listening')
    const place = broken.address()
    const port = typeof place === 'object' && place ? place.port : 0
    const store = createS3Store({ bucket: 'objects', prefix: '', endpoint: `http://127.0.0.1:${port}`, ...KEY })
    const got = store.get('a/0').finally(() => broken.close())
    await assert.rejects(got, ObjectStoreFailed)
  })

  test('leaves no half file behind', async () => {
    const root = join(folder, 'blocked')
    const store = createFolderStore(root)
    await store.put('a/b', Buffer.from('x'))
    // A file where a folder is needed.
    await assert.rejects(store.put('a/b/c', Buffer.from('x')), ObjectStoreFailed)
    assert.deepEqual(await readdir(join(root, 'a')), ['b'])
  })

  test('leaves nothing behind of what a process was writing when it died, once the object is deleted', async () => {
    const root = join(folder, 'died')
    const store = createFolderStore(root)
    await store.put('a/b', Buffer.from('x'))
    await store.put('a/bc', Buffer.from('x'))
    for (const name of ['b', 'bc']) await writeFile(join(root, 'a', `.${name}.${randomUUID()}`), 'half')
    await store.delete(['a/b'])
    assert.deepEqual((await readdir(join(root, 'a'))).map((name) => name.slice(0, 4)).toSorted(), ['.bc.', 'bc'])
    await store.delete(['a/bc'])
    assert.deepEqual(await readdir(root), [])
  })

  test('is written into a folder that goes with its last object at the same moment', async () => {
    const store = createFolderStore(join(folder, 'coming and going'))
    for (let round = 0; round < 200; round++) {
      await store.put('a/old', Buffer.from('x'))
      await Promise.all([store.delete(['a/old']), store.put('a/new', Buffer.from('x'))])
      assert.ok(await store.get('a/new'))
      await store.delete(['a/new'])
    }
  })

  test('is refused by its configuration, with a sentence', () => {
    const place = { dataDir: folder, s3Endpoint: undefined, s3Region: 'us-east-1' }
    const none = { s3AccessKeyId: undefined, s3SecretAccessKey: undefined }
    assert.throws(() => createObjectStore({ ...place, ...none, objectStore: 'ftp://x' }), /write folder, or s3:/)
    assert.throws(() => createObjectStore({ ...place, ...none, objectStore: 's3://bucket' }), /s3_access_key_id/)
    assert.ok(createObjectStore({ ...place, ...none, objectStore: 'folder' }))
  })
})
