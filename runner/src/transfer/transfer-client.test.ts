import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { TransferSchema } from '@signalbox/contracts/runner'
import { systemTime } from '../time/index.ts'
import { TransferClient, TransferError } from './transfer-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-transfer-'))
let answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>
const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const address = server.address()
const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
// Pauses are over at once.
const time = { ...systemTime, after: (_: number, action: () => void) => systemTime.after(0, action) }
const client = new TransferClient(create(TransferSchema, { url, token: 't' }), time, new AbortController().signal)

const bytes = randomBytes(200)
const sha256 = createHash('sha256').update(bytes).digest('hex')
const file = join(folder, 'archive')
writeFileSync(file, bytes)
const archive = { file, size: bytes.length, sha256, files: 1, unreadable: [], moreUnreadable: 0 }

/** Control planes of one blob in parts of 10 bytes; `parts` decides about each part that is sent. */
const keeping = (part: (number: number, response: ServerResponse) => boolean, isSame = true) => {
  const stored = new Set<number>()
  let sends = 0
  answer = async (request, response) => {
    for await (const _ of request);
    const number = Number(request.url?.split('/').at(-1))
    if (request.method === 'PUT') {
      sends += 1
      if (!part(number, response)) return
      stored.add(number)
      response.writeHead(204).end()
    } else if (request.url?.endsWith('/complete')) {
      if (isSame) return void response.writeHead(204).end()
      stored.clear()
      response.writeHead(409).end(JSON.stringify({ code: 'transfer.digest_differs', detail: 'It differs.' }))
    } else {
      const missing = Array.from({ length: 20 }, (_, at) => at).filter((at) => !stored.has(at))
      response.end(JSON.stringify({ id: 'b', part_size: 10, missing, complete: false }))
    }
  }
  return { stored, sends: () => sends }
}

const refuse = (status: number) => (_: number, response: ServerResponse) => {
  response.writeHead(status).end('{}')
  return false
}

beforeEach(() => {
  rmSync(join(folder, 'fetched'), { force: true })
})

describe('an archive that is sent', () => {
  test('arrives over a line that breaks off at each of its many parts', async () => {
    const tried = new Set<number>()
    const { stored } = keeping((number, response) => {
      if (tried.has(number)) return true
      tried.add(number)
      response.destroy()
      return false
    })
    await client.send(archive, 'artifact')
    assert.equal(stored.size, 20)
  })

  test('arrives where one part came too slowly, or there were too many', async () => {
    const refusals = [408, 429, 503]
    const { stored } = keeping((number, response) => {
      const status = refusals.pop()
      return status === undefined || refuse(status)(number, response)
    })
    await client.send(archive, 'artifact')
    assert.equal(stored.size, 20)
  })

  test('is given up where nothing moves, and where what moves is in vain', async () => {
    const refused = keeping(refuse(503))
    await assert.rejects(client.send(archive, 'artifact'), TransferError)
    assert.equal(refused.sends(), 12)
    const { sends } = keeping(() => true, false)
    await assert.rejects(client.send(archive, 'artifact'), /It differs\./)
    assert.equal(sends(), 12 * 20)
  })
})

describe('an archive that is fetched', () => {
  const to = join(folder, 'fetched')
  /** Sends so many bytes at a time, and breaks off. */
  const handing = (most: number, understandsRanges = true) => {
    answer = (request, response) => {
      const [, from = '0'] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
      const first = understandsRanges ? Number(from) : 0
      const status = first > 0 ? 206 : 200
      response.writeHead(status, { etag: `"${sha256}"`, 'content-length': bytes.length - first })
      response.write(bytes.subarray(first, first + most), () => response.destroy())
    }
  }

  test('arrives over a line that breaks off more often than the runner tries again', async () => {
    handing(10)
    await client.fetch('caches', 'c', to)
    assert.ok(bytes.equals(await readFile(to)))
  })

  test('is given up where each try begins at the start and goes no further', async () => {
    handing(10, false)
    await assert.rejects(client.fetch('caches', 'c', to), TransferError)
  })

  test('that is not what was stored is refused', async () => {
    answer = (_, response) => void response.writeHead(200, { etag: `"${'0'.repeat(64)}"` }).end(bytes)
    await assert.rejects(client.fetch('artifacts', 'a', to), /the digest differs/)
  })

  test('for which there is no room is asked for once, and the place is named', {
    skip: !existsSync('/dev/full'),
  }, async () => {
    let asked = 0
    answer = (_, response) => {
      asked++
      response.writeHead(200).end(bytes)
    }
    await assert.rejects(
      client.fetch('artifacts', 'a', '/dev/full'),
      /The disk of this runner that holds \/dev is full/,
    )
    assert.equal(asked, 1)
  })
})

describe('an answer', () => {
  test('that breaks off in the middle is asked for again', async () => {
    let asked = 0
    answer = (_, response) => {
      if (++asked > 1) return void response.end(JSON.stringify({ hit: null }))
      response.writeHead(200, { 'content-length': 100 })
      response.write('{"hi', () => response.destroy())
    }
    assert.equal(await client.findCache('k', []), null)
  })

  test('that is no JSON is told as such', async () => {
    answer = (_, response) => void response.end('<html>')
    await assert.rejects(client.findCache('k', []), /something that this runner does not understand/)
  })
})
