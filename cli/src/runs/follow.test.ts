import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '../client/client.ts'
import { answer, startFakeApi } from '../testing/fake-api.ts'
import { anEntry, aRun, aStep, aTask } from '../testing/run-samples.ts'
import { followRun } from './follow.ts'
import type { Remark } from './narrator.ts'

const line = (number: number) => anEntry({ step: 'check', number, line: `line ${number}` })

const state = (status: string, taskStatus: string) =>
  aRun({ status, steps: [aStep({ name: 'check', status: taskStatus, tasks: [aTask({ status: taskStatus })] })] })

test('a run is followed to its end, through a stream of lines that breaks', async () => {
  let opened = 0
  let finished = false
  await using api = await startFakeApi(({ path }, response) => {
    if (path.endsWith('/logs/stream')) {
      opened += 1
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (opened === 1) response.write(`id: 1\ndata: ${JSON.stringify(line(0))}\n\n`, () => response.destroy())
      else {
        finished = true
        response.write(`id: 2\ndata: ${JSON.stringify(line(1))}\n\n`)
      }
    } else if (path.endsWith('/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {}\n\n')
    } else if (path.includes('/logs?')) answer(response, 200, [line(1), line(2)])
    else answer(response, 200, finished ? state('success', 'success') : state('running', 'running'))
  })
  const remarks: Remark[] = []
  const run = await followRun(new Client({ url: api.url, token: 't' }), 'r', (remark) => remarks.push(remark))
  assert.equal(run.status, 'success')
  const lines = remarks.flatMap((remark) => (remark.kind === 'line' ? [remark.entry.number] : []))
  assert.deepEqual(lines, [0, 1, 2])
  assert.equal(remarks.at(-1)?.kind, 'run')
  assert.ok(api.seen.some(({ path }) => /logs\?step=check&task=unit&attempt=1&from=[12]/.test(path)))
})

test('lines that nobody is told are not fetched', async () => {
  await using api = await startFakeApi(({ path }, response) => {
    if (path.endsWith('/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {}\n\n')
    } else answer(response, 200, state('success', 'success'))
  })
  const run = await followRun(new Client({ url: api.url, token: 't' }), 'r', () => undefined, { lines: false })
  assert.equal(run.status, 'success')
  assert.deepEqual(
    api.seen.filter(({ path }) => path.includes('/logs')),
    [],
  )
})

test('a run that may not be seen ends the following', async () => {
  await using api = await startFakeApi((_request, response) =>
    answer(response, 404, { code: 'not_found', detail: 'No.' }),
  )
  await assert.rejects(
    followRun(new Client({ url: api.url, token: 't' }), 'r', () => undefined),
    { status: 404 },
  )
})
