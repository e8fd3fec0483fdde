import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FORGES } from '../registry.ts'
import type { CheckAnnotation, CheckRun } from '../telling-port.ts'
import { openForgeDouble } from '../testing.ts'
import { checks } from './checks.ts'

/** Check runs as docs.github.com describes them, on a strict double. */

const SHA = 'b'.repeat(40)
const RUN = '01900000-0000-7000-8000-000000000001'
const headers = { authorization: 'Bearer ghs_token', 'x-github-api-version': '2022-11-28' }
const PATH = '/api/v3/repos/acme/widgets/check-runs'

const aCheck = (change: Partial<CheckRun> = {}): CheckRun => ({
  repository: 'acme/widgets',
  commitSha: SHA,
  name: 'signalbox/acme/web/build (staging)',
  externalId: RUN,
  detailsUrl: `https://signalbox.example/#/runs/${RUN}`,
  status: 'queued',
  conclusion: null,
  title: 'Waits for a runner.',
  summary: 'Nothing ran yet.',
  startedAt: null,
  completedAt: null,
  ...change,
})

const queued = {
  name: 'signalbox/acme/web/build (staging)',
  external_id: RUN,
  details_url: `https://signalbox.example/#/runs/${RUN}`,
  status: 'queued',
  output: { title: 'Waits for a runner.', summary: 'Nothing ran yet.' },
}

describe('a check run', () => {
  test('is made, and the answer names it by all its digits', async (t) => {
    const body = { ...queued, head_sha: SHA }
    const double = await openForgeDouble(t, [
      { method: 'POST', path: PATH, headers, body, reply: { status: 201, body: '{"id": 12345678901234567890}' } },
      { method: 'POST', path: PATH, headers, body, reply: { status: 201, body: { id: 4 } } },
      { method: 'POST', path: PATH, headers, body, reply: { status: 201, body: {} } },
    ])
    const connection = double.connection('ghs_token')
    const first = await checks.create(connection, aCheck())
    assert.deepEqual(first, { outcome: 'found', value: '12345678901234567890' })
    assert.deepEqual(await checks.create(connection, aCheck()), { outcome: 'found', value: '4' })
    assert.equal((await checks.create(connection, aCheck())).outcome, 'failed')
  })

  test('is completed with its conclusion and times; a summary is cut to what GitHub takes', async (t) => {
    const times = { startedAt: '2026-11-28T10:00:00Z', completedAt: '2026-11-28T10:01:00Z' }
    const done = aCheck({ status: 'completed', conclusion: 'timed_out', summary: 'é'.repeat(40_000), ...times })
    const body = {
      ...queued,
      status: 'completed',
      conclusion: 'timed_out',
      started_at: times.startedAt,
      completed_at: times.completedAt,
      output: { ...queued.output, summary: 'é'.repeat(32_767) },
    }
    const double = await openForgeDouble(t, [
      { method: 'PATCH', path: `${PATH}/4`, headers, body, reply: { status: 200, body: {} } },
    ])
    assert.deepEqual(await checks.update(double.connection('ghs_token'), '4', done), { outcome: 'found', value: null })
  })

  test('is given annotations beside its output', async (t) => {
    const annotation: CheckAnnotation = {
      path: 'src/a.ts',
      startLine: 3,
      endLine: 3,
      level: 'failure',
      title: null,
      message: 'wrong',
    }
    const body = {
      output: {
        ...queued.output,
        annotations: [
          { path: 'src/a.ts', start_line: 3, end_line: 3, annotation_level: 'failure', message: 'wrong' },
          { path: 'src/a.ts', start_line: 3, end_line: 3, annotation_level: 'failure', title: 'T', message: 'wrong' },
        ],
      },
    }
    const double = await openForgeDouble(t, [
      { method: 'PATCH', path: `${PATH}/4`, headers, body, reply: { status: 200, body: {} } },
    ])
    const marks = [annotation, { ...annotation, title: 'T' }]
    const answer = await checks.annotate(double.connection('ghs_token'), '4', aCheck(), marks)
    assert.deepEqual(answer, { outcome: 'found', value: null })
  })

  test('is found by our id among those of its name, on every page', async (t) => {
    const path = `/api/v3/repos/acme/widgets/commits/${SHA}/check-runs?check_name=signalbox%2Facme%2Fweb%2Fbuild+%28staging%29&filter=all&per_page=100`
    const page = (ids: readonly (readonly [number, string])[]) => ({
      total_count: 3,
      check_runs: ids.map(([id, externalId]) => ({ id, external_id: externalId })),
    })
    const double = await openForgeDouble(t, [
      {
        method: 'GET',
        path,
        headers,
        reply: (url) => ({
          status: 200,
          headers: { link: `<${url}${path}&page=2>; rel="next"` },
          body: page([[1, 'another']]),
        }),
      },
      { method: 'GET', path: `${path}&page=2`, headers, reply: { status: 200, body: page([[4, RUN]]) } },
      { method: 'GET', path, headers, reply: { status: 200, body: page([[1, 'another']]) } },
    ])
    const connection = double.connection('ghs_token')
    assert.deepEqual(await checks.findId(connection, aCheck()), { outcome: 'found', value: '4' })
    assert.deepEqual(await checks.findId(connection, aCheck()), { outcome: 'not_found' })
  })

  test('tells how many annotations it has, none included', async (t) => {
    const reply = (count: unknown) => ({ status: 200, body: { output: { annotations_count: count } } })
    const double = await openForgeDouble(
      t,
      [reply(0), reply(50), reply('many')].map((each) => ({
        method: 'GET',
        path: `${PATH}/4`,
        headers,
        reply: each,
      })),
    )
    const connection = double.connection('ghs_token')
    assert.deepEqual(await checks.countAnnotations(connection, 'acme/widgets', '4'), { outcome: 'found', value: 0 })
    assert.deepEqual(await checks.countAnnotations(connection, 'acme/widgets', '4'), { outcome: 'found', value: 50 })
    assert.equal((await checks.countAnnotations(connection, 'acme/widgets', '4')).outcome, 'failed')
  })
})

describe('who asks to run again', () => {
  const check = { head_sha: SHA, external_id: RUN }

  test('means one check, or all of a commit', () => {
    assert.deepEqual(checks.readRerun('check_run', { action: 'rerequested', check_run: check }), {
      commitSha: SHA,
      externalId: RUN,
    })
    assert.deepEqual(checks.readRerun('check_suite', { action: 'rerequested', check_suite: { head_sha: SHA } }), {
      commitSha: SHA,
      externalId: null,
    })
  })

  test('is nobody in another action, in another event, and where the check is not ours', () => {
    const others: readonly (readonly [string, unknown])[] = [
      ['check_run', { action: 'created', check_run: check }],
      ['push', { action: 'rerequested', check_run: check }],
      ['check_run', { action: 'rerequested', check_run: { head_sha: SHA, external_id: '' } }],
      ['check_run', { action: 'rerequested', check_run: { ...check, head_sha: 'main' } }],
      ['check_run', null],
    ]
    for (const [eventType, payload] of others) assert.equal(checks.readRerun(eventType, payload), undefined)
  })
})

test('only GitHub has checks', () => {
  assert.deepEqual(
    FORGES.filter((forge) => forge.checks !== null).map(({ id }) => id),
    ['github'],
  )
})
