import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { createGrpcServer } from '#platform/grpc'
import { answer, type HttpServer, type Route, streamAnswer } from '#platform/http'
import { createLog } from '#platform/log'
import { eventStream, SSE_HEADERS } from '#platform/sse'
import { createTestClock, createTestHttp, testAuthenticator, until } from '#platform/testing'
import { type CertificateFiles, type KeptCertificate, keepCertificate, readCertificate } from './index.ts'
import { LOOK_MS } from './keep-certificate.ts'
import { type MadeCertificate, makeCertificate, writeCertificate } from './testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-tls-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const log = createLog({ level: 'silent', pretty: false })
const [first, second] = [await makeCertificate('first'), await makeCertificate('second')]

describe('a pair of files', () => {
  const wrong: readonly (readonly [string, () => Promise<CertificateFiles>, RegExp])[] = [
    [
      'that is not there',
      async () => ({ ...writeCertificate(folder, first), key: { option: 'tls_key_file', path: '/nowhere/key.pem' } }),
      /^tls_key_file \(\/nowhere\/key\.pem\) cannot be read: ENOENT/,
    ],
    [
      'that is no PEM',
      async () => writeCertificate(folder, { ...first, certificate: 'x' }),
      /holds no PEM certificate/,
    ],
    ['whose key is none', async () => writeCertificate(folder, { ...first, key: 'x' }), /holds no PEM private key/],
    [
      'that does not fit',
      async () => writeCertificate(folder, { ...first, key: second.key }),
      /^tls_key_file \(.*\) does not belong to the first certificate of tls_certificate_file/,
    ],
    [
      'that has ended',
      async () => writeCertificate(folder, await makeCertificate('old', [9, -1])),
      /ended at 20.*: renew it/,
    ],
    [
      'that is not valid yet',
      async () => writeCertificate(folder, await makeCertificate('new', [-1, 9])),
      /is valid from/,
    ],
  ]
  for (const [what, files, sentence] of wrong) {
    test(`${what} is refused with a sentence`, async () => {
      const made = await files()
      assert.throws(() => readCertificate(made, new Date()), { name: 'CertificateWrong', message: sentence })
    })
  }
})

describe('the port of runners over TLS', () => {
  test('serves a renewed certificate without a new start', async () => {
    const clock = createTestClock(new Date())
    const kept = keepCertificate(writeCertificate(folder, first), clock, log)
    const stop = new AbortController()
    const watching = kept.watch(stop.signal)
    const server = createGrpcServer([], kept, clock)
    const port = await server.listen('127.0.0.1', 0)
    const served = async (): Promise<string> => {
      const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
      await once(socket, 'secureConnect')
      const { subject } = socket.getPeerCertificate()
      const protocol = socket.alpnProtocol
      socket.destroy()
      return `${subject.CN} ${protocol}`
    }
    assert.equal(await served(), 'first h2')
    writeCertificate(folder, second)
    await clock.advance(LOOK_MS)
    assert.equal(await served(), 'second h2')
    stop.abort()
    await Promise.all([watching, server.close(0)])
  })
})

describe('the port of the API over TLS', () => {
  const clock = createTestClock(new Date())
  let http: HttpServer
  let kept: KeptCertificate
  let port: number
  let watching: Promise<void>
  let stop: AbortController
  let release: (() => void) | undefined
  let speak: ((data: string) => void) | undefined
  let isReading = false
  let came = 0

  beforeEach(async () => {
    stop = new AbortController()
    kept = keepCertificate(writeCertificate(folder, first), clock, log)
    watching = kept.watch(stop.signal)
    const slow: Route = {
      name: 'slow',
      shapes: {},
      method: 'GET',
      path: '/v1/slow',
      summary: 'Waits',
      tag: 'test',
      class: 'public',
      responses: { 204: 'empty' },
      handle: async () => {
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return answer(204)
      },
    }
    const words: Route = {
      name: 'words',
      shapes: {},
      method: 'GET',
      path: '/v1/words',
      summary: 'Speaks',
      tag: 'test',
      class: 'public',
      responses: { 200: 'stream' },
      handle: async ({ signal }) => {
        const said = new PassThrough({ objectMode: true })
        signal.addEventListener('abort', () => said.destroy())
        speak = (data) => void said.write({ data })
        return streamAnswer(eventStream(said, { clock, signal }), SSE_HEADERS)
      },
    }
    isReading = false
    const parts: Route = {
      name: 'parts',
      shapes: {},
      method: 'PUT',
      path: '/v1/parts',
      summary: 'Takes bytes',
      tag: 'test',
      class: 'public',
      rawBody: true,
      responses: { 204: 'empty' },
      handle: async (upload) => {
        isReading = true
        came = (await upload.readBody(3_000_000)).length
        return answer(204)
      },
    }
    http = await createTestHttp([slow, words, parts], testAuthenticator({}), undefined, { certificate: kept })
    port = await http.listen('127.0.0.1', 0)
  })
  afterEach(async () => {
    stop.abort()
    await Promise.all([watching, http.close(100)])
  })

  const ask = async (path: string, made: MadeCertificate): Promise<number | undefined> => {
    const asking = request({ host: '127.0.0.1', port, path, ca: made.certificate, agent: false })
    asking.end()
    const [response] = await once(asking, 'response')
    response.resume()
    return response.statusCode
  }
  const served = async (options: object = {}): Promise<string | undefined> => {
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options })
    await once(socket, 'secureConnect')
    const name = socket.getPeerCertificate().subject.CN
    socket.destroy()
    return String(name)
  }
  const replace = async (made: MadeCertificate): Promise<void> => {
    writeCertificate(folder, made)
    await clock.advance(LOOK_MS)
  }

  test('answers over TLS 1.2 and 1.3, and nothing older', async () => {
    assert.equal(await ask('/v1/openapi.json', first), 200)
    assert.equal(await served({ maxVersion: 'TLSv1.2' }), 'first')
    await assert.rejects(served({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }))
  })

  test('serves a renewed certificate without a new start, and finishes what is in hand', async () => {
    const inHand = ask('/v1/slow', first)
    await until(
      'the request to be in hand',
      async () => release,
      (known) => known !== undefined,
    )
    await replace(second)
    assert.equal(await served(), 'second')
    assert.equal(await ask('/v1/openapi.json', second), 200)
    release?.()
    assert.equal(await inHand, 204)
  })

  test('lets streams and uploads that are under way go on beside a renewed certificate', async () => {
    const common = { host: '127.0.0.1', port, ca: first.certificate, agent: false }
    const listening = request({ ...common, path: '/v1/words' })
    listening.end()
    const [stream] = await once(listening, 'response')
    let heard = ''
    stream.setEncoding('utf8').on('data', (text: string) => (heard += text))
    const hears = (word: string) =>
      until(
        `the word ${word}`,
        async () => heard,
        (text) => text.includes(`data: "${word}"`),
      )
    speak?.('before')
    await hears('before')
    const headers = { 'content-type': 'application/octet-stream', 'content-length': 2_000_000 }
    const sending = request({ ...common, path: '/v1/parts', method: 'PUT', headers })
    const sent = once(sending, 'response')
    sending.write(Buffer.alloc(1_000_000))
    await until(
      'the upload to be under way',
      async () => isReading,
      (reading) => reading,
    )
    await replace(second)
    assert.equal(await served(), 'second')
    speak?.('after')
    await hears('after')
    sending.end(Buffer.alloc(1_000_000))
    const [response] = await sent
    response.resume()
    assert.deepEqual([response.statusCode, came], [204, 2_000_000])
    listening.destroy()
  })

  test('keeps the old certificate while the new files do not fit, and says so, until they do', async () => {
    await replace({ certificate: second.certificate, key: first.key })
    assert.equal(await served(), 'first')
    assert.match(kept.fault() ?? '', /does not belong/)
    await replace(second)
    assert.deepEqual([await served(), kept.fault()], ['second', undefined])
  })

  test('answers plain HTTP with 400 and the reason, also where it comes byte by byte', async () => {
    for (const pieces of [['GET / HTTP/1.1\r\nhost: x\r\n\r\n'], ['G', 'ET / HTTP/1.1\r\n\r\n']]) {
      const socket = connect(port, '127.0.0.1')
      for (const piece of pieces) socket.write(piece)
      let text = ''
      socket.setEncoding('utf8').on('data', (data) => {
        text += data
      })
      await once(socket, 'close')
      assert.match(text, /^HTTP\/1\.1 400 .*\r\n/)
      assert.match(text, /begin the address with https:/)
    }
  })

  test('ends at once when it is closed, beside connections that never said a word or broke off their handshake', async () => {
    const [silent, broken] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
    await Promise.all([once(silent, 'connect'), once(broken, 'connect')])
    broken.write(Buffer.from([0x16, 0x03, 0x01]))
    assert.equal(await ask('/v1/openapi.json', first), 200)
    const cut = Promise.all([once(silent, 'close'), once(broken, 'close')])
    await http.close(60_000)
    await cut
  })
})
