import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compressFiles } from './compress.ts'
import { digestSources } from './sources.ts'
import { findNames, trimStatements } from './trim-statements.ts'

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-sources-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

describe('the digest of the sources', () => {
  const files = { 'ui/src/main.tsx': 'a', 'contracts/src/runs/index.ts': 'b', 'package-lock.json': 'c' }
  const digestOf = (changed: Readonly<Record<string, string>>) => digestSources(folderOf({ ...files, ...changed }))
  const digest = digestOf({})

  test('is the same wherever they lie, whatever lies beside them', () => {
    assert.equal(digestOf({}), digest)
    assert.equal(digestOf({ 'server/src/main.ts': 'x', 'ui/dist/index.html': 'x', 'ui/src/a.test.ts': 'x' }), digest)
  })

  test('is another one when a file of the page, of what it imports, or the packages changed', () => {
    for (const name of Object.keys(files)) assert.notEqual(digestOf({ [name]: 'changed' }), digest, name)
    assert.notEqual(digestOf({ 'pipeline/src/graph/index.ts': 'new' }), digest)
    assert.notEqual(digestOf({ 'ui/public/favicon.svg': 'new' }), digest)
  })
})

test('text of some size is compressed in both ways, and stays', async () => {
  const script = 'export const a = 1\n'.repeat(200)
  const folder = folderOf({ 'main.js': script, 'small.css': 'a{}', 'font.woff2': 'x'.repeat(2000) })
  await compressFiles(folder)
  assert.deepEqual(readdirSync(folder).sort(), ['font.woff2', 'main.js', 'main.js.br', 'main.js.gz', 'small.css'])
  assert.equal(brotliDecompressSync(readFileSync(join(folder, 'main.js.br'))).toString(), script)
  assert.equal(gunzipSync(readFileSync(join(folder, 'main.js.gz'))).toString(), script)
})

describe('the statements of routes', () => {
  const STATED = `const RUN = { tag: 'runs', path: '/v1/runs/:id', params: 'RunParams' } as const
export const runRoutes = routesOf<typeof shapes>()({
  getRun: {
    ...RUN,
    method: 'GET',
    summary: "A run's graph, its steps",
    permission: 'run.read',
    answers: { 200: 'Run' },
  },
  storePart: {
    method: 'PUT',
    path: '/v1/transfers/:id',
    rawBody: true,
    answers: { 204: 'empty' },
  },
})
`

  test('keep method and path of those that the page names, and nothing else', () => {
    const trimmed = trimStatements(STATED, new Set(['getRun'])).replace(/\s+/g, ' ')
    assert.equal(
      trimmed,
      "const RUN = { path: '/v1/runs/:id', } as const " +
        "export const runRoutes = routesOf<typeof shapes>()({ getRun: { ...RUN, method: 'GET', }, }) ",
    )
  })

  test('are named by the words of the sources, tests aside', () => {
    const folder = folderOf({ 'a/b.tsx': 'read(runRoutes.getRun)', 'a/b.test.ts': 'runRoutes.storePart' })
    const names = findNames(folder)
    assert.deepEqual([names.has('getRun'), names.has('storePart')], [true, false])
  })
})
