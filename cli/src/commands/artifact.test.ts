import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { create } from 'tar'
import { answer } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ID = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'
const folder = mkdtempSync(join(tmpdir(), 'signalbox-artifact-'))
after(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'report.txt'), 'all is well\n')
const tar = create({ cwd: folder, sync: true }, ['report.txt']).read()
const archive = zstdCompressSync(tar ?? Buffer.alloc(0))
const ARTIFACT = {
  id: ID,
  run_id: '01900000-0000-7000-8000-000000000001',
  step: 'build',
  task: 'compile',
  name: 'dist',
  files: 1,
  size: archive.length,
  sha256: createHash('sha256').update(archive).digest('hex'),
  created_at: '2026-11-21T03:00:00.000Z',
  expires_at: '2036-11-21T03:00:00.000Z',
}

function startOf(range: string | undefined): number {
  return Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
}

describe('artifacts', () => {
  test('of a run are listed', async () => {
    await using here = await stage((_request, response) => answer(response, 200, [ARTIFACT]))
    const { out } = await here.run(['artifact', 'list', ID])
    assert.match(out, new RegExp(`${ID}\tbuild/compile\tdist\t1\t0.0 MB\t`))
    assert.equal(here.api.seen[0]?.path, `/v1/runs/${ID}/artifacts`)
  })

  test('are unpacked into a folder', async () => {
    await using here = await stage((request, response) => {
      if (!request.path.endsWith('/download')) return answer(response, 200, ARTIFACT)
      response.writeHead(200)
      response.end(archive)
    })
    const { code, err } = await here.run(['artifact', 'download', ID, '-C', 'out'])
    assert.deepEqual([code, /1 files of dist are in .*out/.test(err)], [0, true])
    assert.equal(readFileSync(join(here.folder.path, 'out/report.txt'), 'utf8'), 'all is well\n')
  })

  test('that break off are asked for again', async () => {
    let asked = 0
    await using here = await stage((request, response) => {
      if (!request.path.endsWith('/download')) return answer(response, 200, ARTIFACT)
      asked += 1
      const from = startOf(request.headers.range)
      response.writeHead(from === 0 ? 200 : 206, { 'content-length': archive.length - from })
      if (asked > 1) return response.end(archive.subarray(from))
      response.write(archive.subarray(0, 40), () => response.destroy())
    })
    assert.equal((await here.run(['artifact', 'download', ID, '-o', 'a.tar.zst'])).code, 0)
    assert.equal(asked, 2)
    assert.ok(readFileSync(join(here.folder.path, 'a.tar.zst')).equals(archive))
  })

  test('of which a part is there are gone on with, by a range', async () => {
    const ranges: (string | undefined)[] = []
    await using here = await stage((request, response) => {
      if (!request.path.endsWith('/download')) return answer(response, 200, ARTIFACT)
      ranges.push(request.headers.range)
      response.writeHead(206)
      response.end(archive.subarray(startOf(request.headers.range)))
    })
    writeFileSync(join(here.folder.path, 'a.tar.zst'), archive.subarray(0, 40))
    assert.equal((await here.run(['artifact', 'download', ID, '-o', 'a.tar.zst'])).code, 0)
    assert.deepEqual(ranges, ['bytes=40-'])
    assert.ok(readFileSync(join(here.folder.path, 'a.tar.zst')).equals(archive))
  })

  test('that unpack to more than they may are refused before anything is written', async () => {
    const zeros = Buffer.alloc(2 * 1_048_576)
    const bomb = zstdCompressSync(zeros)
    const sha256 = createHash('sha256').update(bomb).digest('hex')
    await using here = await stage((request, response) => {
      if (!request.path.endsWith('/download')) return answer(response, 200, { ...ARTIFACT, size: bomb.length, sha256 })
      response.writeHead(200)
      response.end(bomb)
    })
    const { code, err } = await here.run(['artifact', 'download', ID, '-C', 'out', '--limit-mb', '1'])
    assert.notEqual(code, 0)
    assert.match(err, /more than 1 MB; nothing was unpacked.*--limit-mb/s)
    assert.equal(existsSync(join(here.folder.path, 'out')), false)
  })

  test('of which something cannot be written are no success', async () => {
    await using here = await stage((request, response) => {
      if (!request.path.endsWith('/download')) return answer(response, 200, ARTIFACT)
      response.writeHead(200)
      response.end(archive)
    })
    mkdirSync(join(here.folder.path, 'out/report.txt/full'), { recursive: true })
    const { code, err } = await here.run(['artifact', 'download', ID, '-C', 'out'])
    assert.notEqual(code, 0)
    assert.match(err, /1 of the files in the archive could not be written/)
  })

  test('whose bytes are others are refused', async () => {
    await using here = await stage((request, response) => {
      if (!request.path.endsWith('/download')) return answer(response, 200, ARTIFACT)
      response.writeHead(200)
      response.end(Buffer.alloc(archive.length))
    })
    const { code, err } = await here.run(['artifact', 'download', ID])
    assert.notEqual(code, 0)
    assert.match(err, /its digest differs/)
  })
})
