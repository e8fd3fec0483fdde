import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { createTestHttp, testAuthenticator } from '#platform/testing'
import { openPage } from './index.ts'

const SCRIPT = `export const answer = ${JSON.stringify('x'.repeat(5000))}`
const TEMPLATE = `<!doctype html>
<meta property="csp-nonce" nonce="__NONCE__"><meta name="version" content="__VERSION__">
<script type="module" nonce="__NONCE__" src="./assets/main-Ab_1-2.js"></script>`

const above = mkdtempSync(join(tmpdir(), 'signalbox-page-'))
const folder = join(above, 'dist')
mkdirSync(join(folder, 'assets'), { recursive: true })
mkdirSync(join(folder, 'assets', 'folder.js'))
writeFileSync(join(above, 'outside.js'), 'outside')
writeFileSync(join(folder, 'index.html'), TEMPLATE)
writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
writeFileSync(join(folder, 'build.json'), '{}')
writeFileSync(join(folder, '.hidden.js'), 'hidden')
const asset = join(folder, 'assets/main-Ab_1-2.js')
writeFileSync(asset, SCRIPT)
writeFileSync(`${asset}.br`, brotliCompressSync(SCRIPT))
writeFileSync(`${asset}.gz`, gzipSync(SCRIPT))
writeFileSync(`${asset}.map`, '{}')
writeFileSync(join(folder, 'assets/small-1.js'), 'export {}')
writeFileSync(join(folder, 'assets/.hidden.js'), 'hidden')
symlinkSync('/etc', join(folder, 'assets', 'etc'))

const http = await createTestHttp([], testAuthenticator({}), undefined, { page: openPage(folder) })
const empty = join(above, 'nothing')
const unbuilt = await createTestHttp([], testAuthenticator({}), undefined, { page: openPage(empty) })
after(async () => {
  await http.close(100)
  await unbuilt.close(100)
  rmSync(above, { recursive: true, force: true })
})
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  http.app.inject({ url, headers, method })
const SCRIPT_PATH = '/assets/main-Ab_1-2.js'

describe('the document', () => {
  test('has a nonce of its own in each answer, the same in the policy', async () => {
    const answers = await Promise.all([get('/'), get('/')])
    const nonces = answers.map(({ body, headers }) => {
      const [, nonce = ''] =
        /style-src 'self' 'nonce-([A-Za-z0-9+/=]{24})'/.exec(String(headers['content-security-policy'])) ?? []
      assert.equal(body.split(`nonce="${nonce}"`).length, 3)
      assert.doesNotMatch(body, /__/)
      return nonce
    })
    assert.notEqual(nonces[0], nonces[1])
  })

  test('lets no inline script run, and nothing from elsewhere', async () => {
    const policy = String((await get('/')).headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self';/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    for (const part of ["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "connect-src 'self'"]) {
      assert.ok(policy.split('; ').includes(part), part)
    }
  })

  test('is stored nowhere', async () => {
    const { headers } = await get('/')
    assert.deepEqual([headers['cache-control'], headers['content-type']], ['no-store', 'text/html; charset=utf-8'])
  })

  test('has a head alone', async () => {
    const { statusCode, body, headers } = await get('/', {}, 'HEAD')
    assert.deepEqual([statusCode, body], [200, ''])
    assert.equal(headers['cache-control'], 'no-store')
  })

  test('names its version, which is another one once the build is', async () => {
    const before = (await get('/version.json')).json()
    assert.match(before.version, /^[0-9a-f]{16}$/)
    assert.ok((await get('/')).body.includes(`content="${before.version}"`))
    writeFileSync(join(folder, 'index.html'), TEMPLATE.replace('main-Ab_1-2', 'main-Ab_1-3'))
    const later = await get('/version.json')
    writeFileSync(join(folder, 'index.html'), TEMPLATE)
    assert.notEqual(later.json().version, before.version)
    assert.equal(later.headers['cache-control'], 'no-store')
  })
})

describe('files with a digest in their name', () => {
  test('are kept for ever', async () => {
    const { headers, body } = await get(SCRIPT_PATH)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(String(headers['content-type']), /^(text|application)\/javascript/)
    assert.equal(body, SCRIPT)
  })

  test('come as they were compressed at the build, and caches are told', async () => {
    const asked = [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const
    for (const [encoding, decode] of asked) {
      const { headers, rawPayload } = await get(SCRIPT_PATH, { 'accept-encoding': encoding })
      assert.deepEqual([headers['content-encoding'], headers['vary']], [encoding, 'accept-encoding'])
      assert.match(String(headers['content-type']), /javascript/)
      assert.equal(decode(rawPayload).toString(), SCRIPT)
    }
    assert.equal((await get(SCRIPT_PATH)).headers['vary'], 'accept-encoding')
  })

  test('come as they are where they were too small to compress', async () => {
    const { headers, body } = await get('/assets/small-1.js', { 'accept-encoding': 'gzip, br' })
    assert.deepEqual([headers['content-encoding'], body], [undefined, 'export {}'])
  })

  test('are not sent again to who has them', async () => {
    const { headers } = await get(SCRIPT_PATH)
    const again = await get(SCRIPT_PATH, { 'if-none-match': String(headers['etag']) })
    assert.deepEqual([again.statusCode, again.body], [304, ''])
    const encoded = await get(SCRIPT_PATH, { 'accept-encoding': 'br' })
    assert.notEqual(encoded.headers['etag'], headers['etag'])
  })

  test('have a head alone, with their length', async () => {
    const { statusCode, body, headers } = await get(SCRIPT_PATH, {}, 'HEAD')
    assert.deepEqual([statusCode, body, headers['content-length']], [200, '', String(SCRIPT.length)])
  })

  test('are sent whole to who asks for a part', async () => {
    for (const range of ['bytes=0-5', 'bytes=99999-', 'bytes=5-1', 'lines=1-2']) {
      const { statusCode, body, headers } = await get(SCRIPT_PATH, { range })
      assert.deepEqual([statusCode, body, headers['content-range']], [200, SCRIPT, undefined], range)
    }
  })
})

test('files that keep their name are asked for again', async () => {
  const { headers, statusCode } = await get('/favicon.svg')
  assert.deepEqual([statusCode, headers['cache-control'], headers['content-type']], [200, 'no-cache', 'image/svg+xml'])
  const again = await get('/favicon.svg', { 'if-none-match': String(headers['etag']) })
  assert.equal(again.statusCode, 304)
})

describe('what is no file of the page is not found, in the words of the API', () => {
  const paths = [
    '/assets/main-Ab_1-2.js.map',
    '/assets/main-Ab_1-2.js.br',
    '/assets/.hidden.js',
    '/assets/..%2f..%2foutside.js',
    '/assets/../../outside.js',
    '/assets/%2e%2e/%2e%2e/outside.js',
    '/assets/..\\..\\outside.js',
    '/assets/..%5c..%5coutside.js',
    '/assets//etc/passwd',
    '/assets/etc/passwd',
    '/assets/etc%2fpasswd',
    '/assets/folder.js',
    '/assets/',
    '/assets',
    '/assets/main-Ab_1-2.js%00.js',
    '/../outside.js',
    '/..%2foutside.js',
    '/.hidden.js',
    '/build.json',
    '/index.html',
    '/nowhere',
    '/nowhere.js',
    '/v1/nowhere',
    '/v1',
  ]
  for (const path of paths) {
    test(path, async () => {
      const { statusCode, headers, body } = await get(path)
      assert.ok(statusCode === 404 || statusCode === 400, `${statusCode} ${body}`)
      assert.match(String(headers['content-type']), /^application\/problem\+json/)
      assert.doesNotMatch(body, /outside$|hidden$|root:/)
      assert.notEqual(headers['cache-control'], 'public, max-age=31536000, immutable')
    })
  }
})

describe('without a build', () => {
  test('the page says in one sentence how to make it', async () => {
    const { statusCode, headers, body } = await unbuilt.app.inject({ url: '/' })
    assert.deepEqual([statusCode, headers['content-type']], [503, 'text/html; charset=utf-8'])
    assert.match(body, /<p>The web page is not built yet: run <code>npm run build<\/code>[^<]*<\/p>/)
  })

  test('there is no version, and no file', async () => {
    assert.deepEqual((await unbuilt.app.inject({ url: '/version.json' })).json(), { version: null })
    assert.equal((await unbuilt.app.inject({ url: SCRIPT_PATH })).statusCode, 404)
  })
})
