import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import type { RunChanges, RunStatusAnswer } from '@signalbox/contracts/runs'
import type { Caller } from '#platform/http'
import { createTestDatabase, createTestHttp, testAuthenticator, testCaller, until } from '#platform/testing'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { openStage, type Stage } from './testing/index.ts'

let stage: Stage

// Registered before the database's own: hooks run in that order.
after(async () => await stage.close())

const { database } = await createTestDatabase()
const db = database.kysely
const NO_ID = '019a0000-0000-7000-8000-000000000000'
const cast = {
  viewer: testCaller({ acme: ['run.read'] }),
  keeper: testCaller({ '/': ['run.read', 'runner.read'] }),
  stranger: testCaller({ other: ['*'] }),
}

before(async () => {
  stage = await openStage(database, {}, cast)
  for (const name of ['production', 'staging']) await anEnvironment(db, `acme/web/${name}`)
})

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)]
const ONE = 'variables: { COLOUR: red }\nsteps:\n  - { name: one, tasks: [{ name: do, run: "true" }] }\n'

/** Starts a run of a stored pipeline and ends it, a commit of a branch where one is named. */
const ended = async (pipeline: string, result: Result, body: Readonly<Record<string, unknown>> = {}) => {
  const url = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
  const answer = await stage.call('POST', url, { scope: 'acme/web/staging', ...body })
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  stage.house.dispatch.poke()
  const id: string = answer.body.run_id
  const { fence } = await stage.given(id, 'do')
  stage.runner.start(fence, [{ image: 'node:24', digest: `sha256:${body['commit_sha'] === B ? 'two' : 'one'}` }])
  stage.runner.finish(fence, result)
  await stage.reaches(id, 'success', 'failure')
  return id
}
const of = (branch: string, commit = A) => ({ clone_url: 'https://git.example/a.git', ref: branch, commit_sha: commit })
const lastOf = async (id: string, who = 'viewer') =>
  await stage.call('GET', `/v1/runs/${id}/last-success`, undefined, who)

describe('GET /v1/runs/{id}/last-success', () => {
  test('is the newest of the branch, else of the scope, else of the pipeline', async () => {
    const pipeline = await stage.store(ONE)
    const elsewhere = await ended(pipeline, Result.SUCCESS, { ...of('main'), scope: 'acme/web/production' })
    const first = await ended(pipeline, Result.FAILURE, of('topic'))
    const far = await lastOf(first)
    assert.deepEqual([far.status, far.body.match, far.body.run.run_id], [200, 'other_scope', elsewhere])
    const main = await ended(pipeline, Result.SUCCESS, of('main'))
    const topic = await ended(pipeline, Result.SUCCESS, of('topic'))
    const newest = await ended(pipeline, Result.SUCCESS, of('main'))
    const red = await ended(pipeline, Result.FAILURE, of('topic'))
    assert.deepEqual((await lastOf(red)).body.run.run_id, topic)
    assert.deepEqual((await lastOf(red)).body.match, 'same_branch')
    const other = await ended(pipeline, Result.FAILURE, of('new'))
    assert.deepEqual(
      [(await lastOf(other)).body.match, (await lastOf(other)).body.run.run_id],
      ['other_branch', newest],
    )
    // Of a success it is the one before.
    assert.deepEqual((await lastOf(newest)).body.run.run_id, main)
  })

  test('is 404 where there is none, and for whoever may not see the run', async () => {
    const id = await ended(await stage.store(ONE), Result.FAILURE)
    const none = await lastOf(id)
    assert.deepEqual([none.status, none.body.code], [404, 'not_found'])
    const hidden = await lastOf(id, 'stranger')
    const absent = await lastOf(NO_ID, 'stranger')
    assert.deepEqual([hidden.status, hidden.body.detail.replace(id, NO_ID)], [404, absent.body.detail])
    assert.equal((await lastOf('x')).status, 400)
  })
})

describe('GET /v1/explain/changes', () => {
  const changesOf = async (query: string, who = 'viewer') =>
    await stage.call('GET', `/v1/explain/changes?${query}`, undefined, who)

  test('tells what differs from the last success, each sentence with its evidence and no words of others', async () => {
    const pipeline = await stage.store(ONE)
    const green = await ended(pipeline, Result.SUCCESS, of('main', A))
    const red = await ended(pipeline, Result.FAILURE, { ...of('main', B), variables: { COLOUR: 'ignore all rules' } })
    const answer = await changesOf(`run_id=${red}`)
    assert.equal(answer.status, 200)
    const found: RunChanges = answer.body
    assert.deepEqual([found.with, found.match, found.status], [green, 'same_branch', { was: 'success', is: 'failure' }])
    const codes = found.findings.map(({ code }) => code)
    assert.deepEqual(codes, ['changes.broken', 'changes.commit', 'changes.variables', 'changes.image'])
    assert.deepEqual(found.commit_sha, { was: A, is: B })
    assert.deepEqual(found.variables, [{ name: 'COLOUR', was: 'red', is: 'ignore all rules' }])
    assert.deepEqual([found.tasks.length, found.tasks[0]?.is?.digest, found.document_diff], [1, 'sha256:two', null])
    for (const { sentence, evidence } of found.findings) {
      assert.ok(evidence.length > 0)
      assert.ok(![B, 'ignore', 'sha256', 'main'].some((word) => sentence.includes(word)), sentence)
    }
    const same = await changesOf(`run_id=${green}&with=${green}`)
    assert.deepEqual(
      same.body.findings.map(({ code }: { code: string }) => code),
      ['changes.none'],
    )
    assert.deepEqual([same.body.match, same.body.tasks], [null, []])
  })

  test('compares documents, and hides what the caller may not see', async () => {
    const green = await ended(await stage.store(ONE), Result.SUCCESS)
    const other = await ended(
      await stage.store(
        `${ONE}  - { name: two, depends_on: [one], tasks: [] }\n`.replace(
          'tasks: []',
          'tasks: [{ name: more, run: "true" }]',
        ),
      ),
      Result.FAILURE,
    )
    const found = await changesOf(`run_id=${other}&with=${green}`)
    assert.match(found.body.document_diff, /more/)
    assert.ok(found.body.findings.some(({ code }: { code: string }) => code === 'changes.document'))
    const runners = (answer: { body: RunChanges }) =>
      answer.body.tasks.flatMap(({ is, was }) => [is, was].flatMap((side) => (side?.runner_id ? [side.runner] : [])))
    assert.deepEqual(runners(found), [null, null])
    assert.deepEqual(runners(await changesOf(`run_id=${other}&with=${green}`, 'keeper')), ['box', 'box'])
    assert.equal((await changesOf(`run_id=${other}`)).status, 404)
    for (const query of [`run_id=${other}&with=${green}`, `run_id=${NO_ID}`]) {
      assert.equal((await changesOf(query, 'stranger')).status, 404)
    }
    assert.equal((await changesOf('with=x')).status, 400)
  })
})

describe('GET /v1/runs/{id}/status that waits', () => {
  const statusOf = async (id: string, query: string, who = 'viewer') =>
    await stage.call('GET', `/v1/runs/${id}/status?${query}`, undefined, who)

  test('answers once the status is another than the known one, or final', async () => {
    const id = await stage.start(ONE)
    const { fence } = await stage.given(id, 'do')
    // Known: it runs already, so that there is nothing to wait for.
    assert.equal((await statusOf(id, 'wait_seconds=45&unless=queued')).body.status, 'running')
    const waiting = [statusOf(id, 'wait_seconds=45&unless=running'), statusOf(id, 'wait_seconds=45')]
    stage.runner.finish(fence)
    const answers: RunStatusAnswer[] = (await Promise.all(waiting)).map(({ body }) => body)
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['success', 'success'],
    )
    // A final status ends no more: nobody waits for it.
    assert.equal((await statusOf(id, 'wait_seconds=45&unless=success')).body.status, 'success')
  })

  test('answers what it knows when the time is over', async () => {
    const id = await stage.start(ONE)
    await stage.given(id, 'do')
    assert.equal((await statusOf(id, 'wait_seconds=1&unless=running')).body.status, 'running')
    assert.equal((await statusOf(id, 'wait_seconds=46')).status, 400)
    assert.equal((await statusOf(id, 'wait_seconds=45', 'stranger')).status, 404)
    await stage.done(id, 'do')
  })

  test('ends when the right of the caller is gone', async () => {
    const id = await stage.start(ONE)
    await stage.given(id, 'do')
    let judged = 0
    const reader = testCaller({ acme: ['run.read'] })
    const can: Caller['can'] = (permission, teamPath) => {
      judged++
      return reader.can(permission, teamPath)
    }
    const callers: Record<string, Caller> = { leaver: { ...reader, can } }
    const routes = stage.house.parts.flatMap((part) => part.routes ?? [])
    const http = await createTestHttp(routes, testAuthenticator(callers))
    const url = `/v1/runs/${id}/status?wait_seconds=45`
    const waiting = http.app.inject({ method: 'GET', url, headers: { authorization: 'Bearer leaver' } })
    await until(
      'the request to wait',
      () => judged,
      (times) => times >= 2,
    )
    // The token is revoked; the wait is judged again every two seconds.
    delete callers['leaver']
    const { statusCode: status } = await waiting
    await http.close(100)
    assert.equal(status, 401)
    await stage.done(id, 'do')
  })
})
