import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { AssignSchema } from '@signalbox/contracts/runner'
import { systemTime } from '../time/index.ts'
import { Trees } from '../trees/trees.ts'
import { Archives } from './archives.ts'
import { fetchFiles, keepFiles } from './files.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-files-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const trees = new Trees()
after(() => trees[Symbol.asyncDispose]())

test('a cache that another task has kept meanwhile is neither packed nor sent', async () => {
  const asked: string[] = []
  const hit = { id: 'c1', key: 'deps', exact: true, size: 1, sha256: 'a'.repeat(64) }
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ hit: asked.length === 1 ? null : hit }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    const assign = create(AssignSchema, { transfer: { url, token: 't' }, cache: { key: 'deps', paths: ['deps'] } })
    const archives = new Archives({ folder, workspaces: folder, owner: undefined, limitBytes: 1_048_576, trees })
    const tools = { archives, time: systemTime }
    const notes: string[] = []
    const note = (sentence: string) => void notes.push(sentence)
    const place = { directory: folder, owner: undefined, signal: new AbortController().signal, note }

    const fetched = await fetchFiles(tools, assign, place)
    assert.ok('cacheKey' in fetched)
    writeFileSync(join(folder, 'deps'), 'what the task left')
    assert.equal(await keepFiles(tools, assign, { ...fetched, succeeded: true }, place), undefined)

    assert.deepEqual(asked, ['POST /v1/transfers/caches/lookup', 'POST /v1/transfers/caches/lookup'])
    assert.match(notes.at(-1) ?? '', /not kept: meanwhile another task has kept one under deps/)
  } finally {
    server.close()
  }
})
