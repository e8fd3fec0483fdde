import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { HttpServer } from '#platform/http'
import { createTestDatabase, createTestHttp, testAuthenticator, testCaller, until } from '#platform/testing'
import { aProfile } from '#rooms/catalog/profiles/testing'
import {
  aRunnablePipeline,
  connectRunner,
  type ExecutionHouse,
  openExecution,
  type RunnerInTest,
  startRun,
} from './testing/index.ts'

let house: ExecutionHouse
let runner: RunnerInTest
let http: HttpServer

// Registered before the database's own: hooks run in that order.
after(async () => {
  await http.close(100)
  await runner.stop()
  await house.stop()
})

const { database } = await createTestDatabase()
let count = 0
const NO_ID = '019a0000-0000-7000-8000-000000000000'

before(async () => {
  house = await openExecution(database)
  runner = await connectRunner(house)
  http = await createTestHttp(
    house.parts.flatMap((part) => part.routes ?? []),
    testAuthenticator({
      root: testCaller(),
      viewer: testCaller({ acme: ['run.read', 'pipeline.read', 'log.read', 'runner.read'] }),
      starter: testCaller({ acme: ['run.read', 'pipeline.read', 'run.start'] }),
      reader: testCaller({ acme: ['run.read'] }),
      stranger: testCaller({ other: ['*'] }),
      watcher: testCaller({ '/': ['runner.read'] }),
      blind: testCaller({ acme: ['environment.read'], other: ['runner.read'] }),
    }),
  )
})

const call = async (method: 'GET' | 'POST', url: string, body?: unknown, who = 'root') => {
  const answer = await http.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${who}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  const isJson = String(answer.headers['content-type']).includes('json')
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: isJson ? answer.json() : null }
}

const SAY = 'steps:\n  - name: one\n    tasks:\n      - name: say\n        run: echo hello; echo $GREETING\n'
const BARE = `checkout: false\n${SAY}`
const SLOW = 'steps:\n  - name: one\n    tasks:\n      - { name: wait, run: sleep 60 }\n'

const pipeline = async (document: string) => {
  count += 1
  await aRunnablePipeline(house, `r${count}`, document)
  return `acme%2Fweb%2Fr${count}`
}
const start = async (document: string, body: unknown = {}) =>
  await call('POST', `/v1/pipelines/${await pipeline(document)}/runs`, body)
const toEnd = async (id: string) =>
  await until(
    'the run to finish',
    async () => (await call('GET', `/v1/runs/${id}/status`)).body,
    ({ status }) => status !== 'queued' && status !== 'running',
  )

describe('POST /v1/pipelines/{id}/runs', () => {
  test('queues a run in the only scope of the team and answers 202', async () => {
    const { status, body, headers } = await start(SAY)
    assert.equal(status, 202)
    assert.equal(body.status, 'queued')
    assert.equal(headers.location, `/v1/runs/${body.run_id}`)
    assert.equal((await toEnd(body.run_id)).status, 'success')
    assert.equal((await call('GET', `/v1/runs/${body.run_id}`)).body.scope, 'acme/web/production')
  })

  test('takes no body as it takes an empty one', async () => {
    const answer = await call('POST', `/v1/pipelines/${await pipeline(SAY)}/runs`)
    assert.equal(answer.status, 202)
    await toEnd(answer.body.run_id)
  })

  test('overrides declared variables and refuses others by name', async () => {
    const document = `variables: { GREETING: hi }\n${SAY}`
    const { body } = await start(document, { variables: { GREETING: 'moin' } })
    await toEnd(body.run_id)
    const { body: lines } = await call('GET', `/v1/runs/${body.run_id}/logs`)
    assert.deepEqual(
      lines.map((entry: { line: string }) => entry.line),
      ['hello', 'moin'],
    )
    const refused = await start(document, { variables: { GRETING: 'moin' } })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.errors[0].field, 'variables.GRETING')
  })

  test('names what is wrong: an unknown scope, an unknown field, a commit from nowhere', async () => {
    for (const [body, field] of [
      [{ scope: 'acme/web/nowhere' }, 'scope'],
      [{ colour: 'red' }, 'colour'],
      [{ commit_sha: '0'.repeat(40) }, 'clone_url'],
      [{ clone_url: 'https://git.example/acme.git', ref: 'main' }, 'commit_sha'],
      [{ ref: '--upload-pack=evil' }, 'ref'],
    ] as const) {
      const answer = await start(SAY, body)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].field, field)
    }
  })

  test('names a secret that is not there before anything is queued', async () => {
    const answer = await start(`secrets: { TOKEN: acme/web/none }\n${SAY}`)
    assert.equal(answer.status, 400)
    assert.equal(answer.body.errors[0].field, 'secrets.TOKEN')
  })

  test('is 403 for who may see the pipeline and not run it, 404 for who may not see it', async () => {
    const path = `/v1/pipelines/${await pipeline(SAY)}/runs`
    assert.equal((await call('POST', path, {}, 'viewer')).status, 403)
    // Other code with the pipeline's secrets: that is writing the pipeline.
    const foreign = { clone_url: 'https://git.example/other.git' }
    assert.equal((await call('POST', path, foreign, 'starter')).status, 403)
    assert.equal((await call('POST', path, {}, 'stranger')).status, 404)
    assert.equal((await call('POST', '/v1/pipelines/acme%2Fweb%2Fnone/runs', {})).status, 404)
  })
})

describe('GET /v1/pipeline-results', () => {
  test('answers the newest runs of each pipeline that the caller may see', async () => {
    const ids: string[] = []
    const pipelines: string[] = []
    for (const status of ['success', 'failure']) {
      const name = await pipeline(status === 'success' ? BARE : BARE.replace('echo hello', 'exit 3'))
      for (const _ of [1, 2]) {
        const { body } = await call('POST', `/v1/pipelines/${name}/runs`, {})
        assert.equal((await toEnd(body.run_id)).status, status)
        ids.push(body.run_id)
      }
      pipelines.push((await call('GET', `/v1/runs/${ids.at(-1)}`)).body.pipeline_id)
    }
    const [goodOld, good, badOld, bad] = ids
    const [ending, failing] = pipelines
    const url = `/v1/pipeline-results?pipeline=${failing}&pipeline=${NO_ID}&pipeline=${ending}&pipeline=${failing}`
    const { body } = await call('GET', url)
    const shown = body.map((one: { pipeline_id: string; runs: { run_id: string; status: string }[] }) => [
      one.pipeline_id,
      ...one.runs.map((run) => `${run.status} ${run.run_id}`),
    ])
    assert.deepEqual(shown, [
      [failing, `failure ${bad}`, `failure ${badOld}`],
      [ending, `success ${good}`, `success ${goodOld}`],
    ])
    assert.ok(body[0].runs[0].finished_at >= body[0].runs[0].started_at)
    const newest = await call('GET', `/v1/pipeline-results?pipeline=${ending}&limit=1`, undefined, 'reader')
    assert.deepEqual(
      newest.body[0].runs.map((run: { run_id: string }) => run.run_id),
      [good],
    )
    assert.deepEqual((await call('GET', url, undefined, 'stranger')).body, [])
    const many = Array.from({ length: 101 }, () => `pipeline=${NO_ID}`).join('&')
    for (const wrong of ['', '?limit=3', `?pipeline=${NO_ID}&limit=31`, '?pipeline=acme', `?${many}`]) {
      assert.equal((await call('GET', `/v1/pipeline-results${wrong}`)).status, 400, wrong)
    }
  })
})

describe('GET /v1/runs', () => {
  test('lists what is visible, newest first, by team and branch, in pages', async () => {
    const { body: first } = await start(BARE, { ref: 'topic' })
    const { body: second } = await start(BARE, { ref: 'topic' })
    await toEnd(first.run_id)
    await toEnd(second.run_id)
    const ids = (answer: { body: { run_id: string }[] }) => answer.body.map((run) => run.run_id)
    const all = await call('GET', '/v1/runs?teamId=acme&branch=topic')
    assert.deepEqual(ids(all), [second.run_id, first.run_id])
    assert.equal(all.body[0].pipeline_name, `r${count}`)
    const page = await call('GET', '/v1/runs?teamId=acme%2Fweb&branch=topic&limit=1')
    assert.deepEqual(ids(page), [second.run_id])
    const next = /<([^>]+)>/.exec(String(page.headers.link))?.[1] ?? ''
    assert.deepEqual(ids(await call('GET', next)), [first.run_id])
    const combined = 'branch=topic&cause=request&status=success&status=failure&since=2020-01-01T00:00:00Z'
    assert.deepEqual(ids(await call('GET', `/v1/runs?${combined}`)), [second.run_id, first.run_id])
    const one = await call('GET', `/v1/runs?${combined}&limit=1`)
    assert.deepEqual(ids(await call('GET', /<([^>]+)>/.exec(String(one.headers.link))?.[1] ?? '')), [first.run_id])
    const { initiator } = all.body[0]
    assert.equal((await call('GET', `/v1/runs?${combined}&initiator=${initiator.id}`)).body.length, 2)
    for (const other of ['initiator=nobody', 'pull_request=1', `trigger=${NO_ID}`, `schedule=${NO_ID}`]) {
      assert.deepEqual((await call('GET', `/v1/runs?${combined}&${other}`)).body, [], other)
    }
    assert.deepEqual((await call('GET', '/v1/runs?branch=topic&status=failure&status=paused')).body, [])
    assert.deepEqual((await call('GET', `/v1/runs?${combined}`, undefined, 'stranger')).body, [])
    assert.deepEqual((await call('GET', '/v1/runs', undefined, 'stranger')).body, [])
    assert.deepEqual((await call('GET', '/v1/runs?teamId=nobody')).body, [])
    assert.equal((await call('GET', '/v1/runs?branch=topic', undefined, 'viewer')).body.length, 2)
    assert.equal((await call('GET', `/v1/runs?pipeline=acme%2Fweb%2Fr${count}`)).body.length, 1)
    assert.equal((await call('GET', '/v1/runs?limit=0')).status, 400)
    assert.equal((await call('GET', '/v1/runs?cursor=x')).status, 400)
    assert.equal((await call('GET', '/v1/runs?status=purple')).status, 400)
    assert.equal((await call('GET', '/v1/runs?scope=acme%2Fnone%2Ftest')).body.length, 0)
    const soon = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString())
    assert.equal((await call('GET', `/v1/runs?branch=topic&since=${soon}`)).body.length, 0)
    assert.equal((await call('GET', `/v1/runs?branch=topic&until=${soon}`)).body.length, 2)
    for (const wrong of [
      'status=',
      'status=success&status=purple',
      'status=success,failure',
      'cause=weather',
      'initiator=',
      'pull_request=0',
      'pull_request=1.5',
      'pull_request=99999999999999999999',
      'trigger=x',
      'schedule=x',
      'external_trigger=x',
      'commit=HEAD',
      'commit=abc',
      'scope=production',
      'since=yesterday',
      'until=1',
      'repository=',
    ]) {
      assert.equal((await call('GET', `/v1/runs?${wrong}`)).status, 400, wrong)
    }
  })
})

describe('GET /v1/runs/{id}', () => {
  test('shows the graph with the state of each step, task and attempt', async () => {
    const document =
      'steps:\n  - name: one\n    tasks:\n      - { name: a, run: exit 3 }\n  - name: two\n    depends_on: [one]\n    tasks:\n      - { name: b, run: "true" }\n'
    const { body: started } = await start(document)
    await toEnd(started.run_id)
    const { body: run } = await call('GET', `/v1/runs/${started.run_id}`)
    assert.equal(run.status, 'failure')
    const [one, two] = run.steps
    assert.deepEqual([one.name, one.status, two.depends_on, two.status], ['one', 'failure', ['one'], 'skipped'])
    assert.equal(one.tasks[0].attempts[0].exit_code, 3)
    assert.equal(one.tasks[0].attempts[0].runner_id, runner.id)
    assert.ok(run.started_at && run.finished_at)
  })

  test('says of a queued run which condition no runner meets, and runner by runner', async () => {
    const run = await aRunnablePipeline(house, 'gpu', SAY)
    const id = await startRun(house, {
      ...run,
      pipeline: { ...run.pipeline, requirement: { executor: 'host', labels: ['gpu'] } },
    })
    const { body } = await call('GET', `/v1/runs/${id}`)
    assert.equal(body.status, 'queued')
    assert.match(body.queue_reason, /No runner .* has the label gpu/)
    assert.equal(body.queue_blockers[0].runner_id, runner.id)
    assert.match(body.queue_blockers[0].verdict, /lacks the label gpu/)
    assert.equal(body.steps[0].status, 'pending')

    const canceled = await call('POST', `/v1/runs/${id}/cancel`, { reason: 'no such machine' })
    assert.equal(canceled.status, 202)
    assert.equal(canceled.body.status, 'canceled')
    const { body: ended } = await call('GET', `/v1/runs/${id}`)
    assert.deepEqual([ended.reason, ended.steps[0].status], ['no such machine', 'canceled'])
  })

  test('is 404 for an unknown run and for who may not see it, 400 for what is no id', async () => {
    const { body } = await start(SAY)
    await toEnd(body.run_id)
    for (const part of ['', '/status', '/outputs', '/events', '/logs', '/logs/stream', '/logs/download']) {
      const unknown = `/v1/runs/01900000-0000-7000-8000-00000000dead${part}`
      assert.equal((await call('GET', unknown)).status, 404, part)
      assert.equal((await call('GET', `/v1/runs/${body.run_id}${part}`, undefined, 'stranger')).status, 404, part)
      assert.equal((await call('GET', `/v1/runs/none${part}`)).status, 400, part)
    }
  })
})

describe('POST /v1/runs/{id}/cancel', () => {
  test('ends a run in flight; again changes nothing; a finished run is 409', async () => {
    const { body } = await start(SLOW)
    await until(
      'the task to run',
      async () => (await call('GET', `/v1/runs/${body.run_id}`)).body,
      (run) => run.steps[0].tasks[0].status === 'running',
    )
    assert.equal((await call('POST', `/v1/runs/${body.run_id}/cancel`, undefined, 'viewer')).status, 403)
    assert.equal((await call('POST', `/v1/runs/${body.run_id}/cancel`)).status, 202)
    assert.equal((await toEnd(body.run_id)).status, 'canceled')
    assert.equal((await call('POST', `/v1/runs/${body.run_id}/cancel`)).body.status, 'canceled')
    const { body: done } = await start(SAY)
    await toEnd(done.run_id)
    const refused = await call('POST', `/v1/runs/${done.run_id}/cancel`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'run.finished'])
  })
})

describe('POST /v1/runs/{id}/rerun', () => {
  test('starts a new run of the same version that names its origin', async () => {
    const { body } = await start(`variables: { GREETING: hi }\n${SAY}`, { variables: { GREETING: 'a' } })
    await toEnd(body.run_id)
    const again = await call('POST', `/v1/runs/${body.run_id}/rerun`)
    assert.equal(again.status, 202)
    assert.equal(again.body.runId, again.body.run_id)
    assert.notEqual(again.body.runId, body.run_id)
    assert.equal((await toEnd(again.body.runId)).status, 'success')
    const { body: run } = await call('GET', `/v1/runs/${again.body.runId}`)
    assert.deepEqual([run.rerun_of, run.cause, run.variables.GREETING], [body.run_id, 'rerun', 'a'])
    const other = await call('POST', `/v1/runs/${body.run_id}/rerun`, { variables: { GREETING: 'b' } })
    assert.equal((await call('GET', `/v1/runs/${other.body.runId}`)).body.variables.GREETING, 'b')
    await toEnd(other.body.runId)
    assert.equal((await call('POST', `/v1/runs/${body.run_id}/rerun`, { variables: { X: 'b' } })).status, 400)
    assert.equal((await call('POST', `/v1/runs/${body.run_id}/rerun`, undefined, 'viewer')).status, 403)
  })
})

describe('GET /v1/runs/{id}/outputs', () => {
  test('names sensitive outputs and keeps their values', async () => {
    const { body } = await start(
      'steps:\n  - name: one\n    tasks:\n      - name: a\n        run: printf "x=1\\ny=hidden\\n" >> "$SIGNALBOX_OUTPUT"\n        outputs: { x: {}, y: { sensitive: true } }\n',
    )
    await toEnd(body.run_id)
    assert.deepEqual((await call('GET', `/v1/runs/${body.run_id}/outputs`)).body, [
      { step: 'one', task: 'a', name: 'x', sensitive: false, value: '1' },
      { step: 'one', task: 'a', name: 'y', sensitive: true, value: null },
    ])
  })
})

const events = (text: string) =>
  text.split('\n\n').flatMap((frame) => {
    const event = /^event: (.*)$/m.exec(frame)?.[1]
    const data = /^data: (.*)$/m.exec(frame)?.[1]
    return event && data ? [{ event, id: /^id: (.*)$/m.exec(frame)?.[1], data: JSON.parse(data) }] : []
  })

describe('GET /v1/runs/{id}/events', () => {
  test('follows a run to its end; its own last event comes last', async () => {
    const { body } = await start(SAY)
    const { text } = await call('GET', `/v1/runs/${body.run_id}/events`)
    const seen = events(text)
    assert.deepEqual(seen.at(-1)?.data.status, 'success')
    assert.ok(seen.some(({ event, data }) => event === 'task' && data.task === 'say' && data.status === 'success'))
    assert.ok(seen.some(({ event, data }) => event === 'step' && data.status === 'success'))
  })
})

describe('logs', () => {
  const COUNT = 'steps:\n  - name: one\n    tasks:\n      - name: count\n        run: seq 1 50; echo needle >&2\n'

  test('are lines with numbers, in pages, from a line on, and searched', async () => {
    const { body } = await start(COUNT)
    await toEnd(body.run_id)
    const path = `/v1/runs/${body.run_id}/logs`
    const { body: all } = await call('GET', path)
    assert.equal(all.length, 51)
    assert.deepEqual(
      all.map((entry: { number: number }) => entry.number),
      Array.from({ length: 51 }, (_, index) => index),
    )
    assert.deepEqual(Object.keys(all[0]).sort(), ['at', 'attempt', 'line', 'number', 'step', 'stream', 'task'])
    const page = await call('GET', `${path}?limit=20`)
    const next = /<([^>]+)>/.exec(String(page.headers.link))?.[1] ?? ''
    const second = await call('GET', next)
    assert.deepEqual([page.body.length, second.body[0].number], [20, 20])
    assert.equal((await call('GET', `${path}?step=one&task=count&attempt=1&from=48`)).body[0].number, 48)
    const found = await call('GET', `${path}?search=NEEDLE`)
    assert.deepEqual([found.body.length, found.body[0].stream], [1, 'stderr'])
    assert.deepEqual((await call('GET', `${path}?step=two`)).body, [])
    assert.equal((await call('GET', path, undefined, 'reader')).status, 403)
  })

  test('are followed live, each line once, also by who comes back', async () => {
    const { body } = await start(
      'steps:\n  - name: one\n    tasks:\n      - name: a\n        run: for i in 1 2 3 4 5; do echo a$i; sleep 0.05; done\n      - name: b\n        run: for i in 1 2 3 4 5; do echo b$i; sleep 0.05; done\n',
    )
    const { text } = await call('GET', `/v1/runs/${body.run_id}/logs/stream`)
    const seen = events(text)
    assert.equal(seen.at(-1)?.event, 'eof')
    const lines = seen.filter(({ event }) => event === 'line')
    assert.equal(lines.length, 10)
    for (const task of ['a', 'b']) {
      const own = lines.filter(({ data }) => data.task === task).map(({ data }) => data.line)
      assert.deepEqual(
        own,
        [1, 2, 3, 4, 5].map((index) => `${task}${index}`),
      )
    }
    for (const at of [0, 4, 9]) {
      const rest = await http.app.inject({
        url: `/v1/runs/${body.run_id}/logs/stream`,
        headers: { authorization: 'Bearer root', 'last-event-id': lines[at]?.id ?? '' },
      })
      const again = events(rest.body).filter(({ event }) => event === 'line')
      const key = ({ data }: { data: { line: string } }) => data.line
      assert.deepEqual(
        [...lines.slice(0, at + 1), ...again].map(key).sort(),
        lines.map(key).sort(),
        `behind line ${at}`,
      )
    }
  })

  test('are downloaded as text', async () => {
    const { body } = await start(SAY)
    await toEnd(body.run_id)
    const { text, headers } = await call('GET', `/v1/runs/${body.run_id}/logs/download`)
    assert.match(text, /^hello\n/)
    assert.match(String(headers['content-type']), /^text\/plain/)
  })

  test('can be read from their end, and as entries; a value that is scrubbed is gone at once', async () => {
    const { body } = await start(COUNT)
    await toEnd(body.run_id)
    const path = `/v1/runs/${body.run_id}/logs`
    const tail = await call('GET', `${path}?tail=2&stream=stdout`)
    assert.deepEqual(
      tail.body.map(({ line }: { line: string }) => line),
      ['49', '50'],
    )
    assert.match(String(tail.headers.link), /direction=backward&cursor=[^>]+>; rel="next"/)
    assert.equal((await call('GET', `${path}?regex=^4[23]$`)).body.length, 2)
    assert.equal((await call('GET', `${path}?regex=(`)).status, 400)
    assert.equal((await call('POST', `${path}/scrub`, { values: ['needle'] }, 'reader')).status, 403)
    assert.equal((await call('POST', `${path}/scrub`, { values: ['needle'] })).status, 202)
    const { body: text } = await http.app.inject({
      url: `${path}/download?format=ndjson`,
      headers: { authorization: 'Bearer root' },
    })
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line).line)
    assert.equal(lines.length, 51)
    assert.ok(lines.includes('***') && !text.includes('needle'))
    assert.deepEqual((await call('GET', `${path}?search=needle`)).body, [])
  })

  test('never show a secret', async () => {
    const created = await call('POST', '/v1/secrets', { team_path: 'acme/web', name: 'npm', value: 'hunter2-hunter2' })
    assert.equal(created.status, 201, created.text)
    const { body } = await start(
      'secrets: { TOKEN: acme/web/npm }\nsteps:\n  - name: one\n    tasks:\n      - name: a\n        run: test "$TOKEN" = hunter2-hunter2 && echo "it is $TOKEN"\n',
    )
    assert.equal((await toEnd(body.run_id)).status, 'success')
    const { text } = await call('GET', `/v1/runs/${body.run_id}/logs/download`)
    assert.match(text, /it is \*/)
    assert.doesNotMatch(text, /hunter2/)
  })
})

describe('GET /v1/system/dispatcher', () => {
  test('shows the runners that the caller may see, and what waits', async () => {
    const { body } = await call('GET', '/v1/system/dispatcher')
    assert.equal(body.runners[0].id, runner.id)
    assert.deepEqual([body.runners[0].state, body.runners[0].capacity, body.queued], ['connected', 4, 0])
    assert.deepEqual((await call('GET', '/v1/system/dispatcher', undefined, 'viewer')).body.runners, [])
    const { body: run } = await start(SLOW)
    const running = async (who: string): Promise<number> =>
      (await call('GET', '/v1/system/dispatcher', undefined, who)).body.running
    await until(
      'the run to begin',
      () => running('viewer'),
      (begun) => begun === 1,
    )
    assert.equal(await running('stranger'), 0)
    await call('POST', `/v1/runs/${run.run_id}/cancel`)
    await toEnd(run.run_id)
    assert.equal((await call('GET', '/v1/system/dispatcher', undefined, 'nobody')).status, 401)
  })
})

describe('GET /v1/runners/{id}/leases', () => {
  const leases = (who = 'root', id = runner.id) => call('GET', `/v1/runners/${id}/leases`, undefined, who)

  /** A canceled run has ended while its runner still gives its tasks back. */
  const untilNone = (): Promise<unknown> =>
    until(
      'the runner to have nothing in hand',
      () => leases(),
      ({ body }) => body.leases.length === 0 && body.hidden === 0,
    )

  test('lists the tasks in hand; those of runs that the caller may not read are only counted', async () => {
    await untilNone()
    const { body: run } = await start(SLOW)
    const { body } = await until(
      'the task to begin',
      () => leases(),
      (answer) => answer.body.leases[0]?.started_at,
    )
    const { leased_at, started_at, ...lease } = body.leases[0]
    assert.deepEqual(lease, {
      run_id: run.run_id,
      pipeline: `acme/web/r${count}`,
      scope: 'acme/web/production',
      step: 'one',
      task: 'wait',
      attempt: 1,
      cancel_requested_at: null,
    })
    assert.ok(Date.parse(leased_at) <= Date.parse(started_at))
    assert.equal(body.hidden, 0)
    assert.deepEqual((await leases('watcher')).body, { leases: [], hidden: 1 })
    await call('POST', `/v1/runs/${run.run_id}/cancel`)
    await untilNone()
  })

  test('a hidden runner is like an absent one', async () => {
    const [hidden, absent] = [await leases('viewer'), await leases('viewer', NO_ID)]
    assert.deepEqual([hidden.status, absent.status], [404, 404])
    assert.equal(hidden.body.detail.replace(runner.id, ''), absent.body.detail.replace(NO_ID, ''))
  })
})

describe('POST /v1/runners/verdicts', () => {
  const judge = (body: object, who = 'root') => call('POST', '/v1/runners/verdicts', body, who)
  const scope = 'acme/web/production'

  before(async () => void (await pipeline(SAY)))

  test('says of each runner whether it could take something, in the words of the queue', async () => {
    const able = await judge({ scope })
    assert.equal(able.status, 200, able.text)
    assert.deepEqual([able.body.executor, able.body.labels, able.body.reason], ['host', [], null])
    assert.deepEqual(
      able.body.runners.map((one: { verdict: string }) => one.verdict),
      ['The runner can take this work now.'],
    )
    const none = await judge({ scope, labels: ['gpu'], executor: 'host' })
    assert.equal(none.body.reason, `No runner that serves the scope ${scope} has the label gpu.`)
    assert.equal(none.body.runners[0].verdict, 'The runner lacks the label gpu.')
    const elsewhere = await judge({ scope, executor: 'container' })
    assert.match(elsewhere.body.reason, /can run tasks in containers\.$/)
  })

  test('asks what a profile asks', async () => {
    await aProfile(database.kysely, 'acme/large', { labels: ['big'] })
    const { body } = await judge({ scope, profile: 'large', labels: ['gpu'] })
    assert.deepEqual(body.labels, ['big', 'gpu'])
    const unknown = await judge({ scope, profile: 'none' })
    assert.equal(unknown.status, 400)
    assert.equal(unknown.body.errors[0].field, 'profile')
  })

  test('a hidden scope is like an absent one, and hidden runners are not told of', async () => {
    const hidden = await judge({ scope }, 'stranger')
    const absent = await judge({ scope: 'acme/web/none' }, 'stranger')
    assert.deepEqual([hidden.status, absent.status], [400, 400])
    assert.equal(hidden.body.detail.replace('production', ''), absent.body.detail.replace('none', ''))
    const blind = await judge({ scope }, 'blind')
    assert.deepEqual(blind.body.runners, [])
    assert.equal(blind.body.reason, `No runner serves the scope ${scope}.`)
    assert.equal((await judge({ scope }, 'starter')).status, 400, 'who sees no environments')
  })
})
