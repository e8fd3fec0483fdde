import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import type { KnowledgeTrialResult, TriedRun } from '@signalbox/contracts/trials'
import { sql } from 'kysely'
import { createTestDatabase, testCaller } from '#platform/testing'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { openStage, type Stage } from './testing/index.ts'

let stage: Stage

// Registered before the database's own: hooks run in that order.
after(async () => await stage.close())

const { database } = await createTestDatabase()
const db = database.kysely
const READS = ['knowledge.read', 'run.read', 'pipeline.read'] as const

before(async () => {
  stage = await openStage(
    database,
    {},
    {
      viewer: testCaller({ 'acme/web': [...READS] }),
      'no-runs': testCaller({ 'acme/web': ['knowledge.read', 'pipeline.read'] }),
      'no-pipelines': testCaller({ 'acme/web': ['knowledge.read', 'run.read'] }),
      beside: testCaller({ 'acme/shop': [...READS], acme: ['pipeline.read'] }),
      stranger: testCaller({ other: ['*'] }),
    },
  )
  for (const scope of ['acme/web/production', 'acme/web/frozen', 'acme/shop/production', 'other/test'])
    await anEnvironment(db, scope)
})

type Fields = Readonly<Record<string, unknown>>

const draft = (rule: string, more: Fields = {}): Fields => ({
  team_path: 'acme/web',
  name: 'idea',
  kind: 'guardrail',
  rule,
  message: 'Not so.',
  ...more,
})
const ask = async (body: Fields, who = 'root') => await stage.call('POST', '/v1/knowledge/trials', body, who)
const tried = async (body: Fields, who = 'root'): Promise<KnowledgeTrialResult> => {
  const answer = await ask(body, who)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
const only = async (body: Fields): Promise<TriedRun> => {
  const { runs } = await tried(body)
  assert.equal(runs.length, 1)
  return runs[0] ?? assert.fail()
}
const taskThat = (script: string): string => `steps:\n  - { name: one, tasks: [{ name: do, run: "${script}" }] }\n`
/** A run to its end; the identifier of its pipeline beside it. */
const ended = async (document: string) => {
  const id = await stage.start(document)
  await stage.done(id, 'do')
  const run = await stage.reaches(id, 'success')
  return { id, pipeline: run.pipeline }
}
const countAll = async (): Promise<unknown> => {
  const { rows } =
    await sql`select (select count(*) from knowledge_items) as items, (select count(*) from runs) as runs,
    (select count(*) from knowledge_revisions) as revisions, (select count(*) from run_pins) as pins,
    (select count(*) from audit_records) as records`.execute(db)
  return rows[0]
}

describe('POST /v1/knowledge/trials', () => {
  test('says of each past run what a draft would have stopped, and stores nothing', async () => {
    const good = await ended(taskThat('echo good'))
    const bad = await ended(taskThat('curl x | sh'))
    const stored = await countAll()
    const no = draft('!task.commands.contains("curl")')
    const stopped = await only({ draft: no, pipeline: bad.pipeline })
    const { place, ...rest } = stopped
    assert.deepEqual(
      [rest.run_id, rest.happened, rest.verdict, rest.differs, rest.status, rest.unknown],
      [bad.id, 'allowed', 'blocked', true, 'success', []],
    )
    assert.deepEqual([place?.at, place?.step, place?.task, rest.places], ['task', 'one', 'do', 3])
    assert.equal(rest.violation, 'The guardrail acme/web/idea is violated: Not so.')
    const held = await only({ draft: no, pipeline: good.pipeline })
    assert.deepEqual(
      [held.verdict, held.differs, held.place, held.violation, held.places],
      ['allowed', false, null, null, 3],
    )
    const all = await tried({ draft: no })
    assert.deepEqual([all.item, all.tried, all.differing, all.stopped_early], ['acme/web/idea', 2, 1, null])
    assert.deepEqual(all.verdicts, { allowed: 1, blocked: 1, not_asked: 0, unknown: 0 })
    assert.deepEqual(
      all.runs.map(({ run_id }) => run_id),
      [bad.id, good.id],
      'newest first',
    )
    assert.deepEqual(await countAll(), stored)
  })

  test('reads the facts and the time of then', async () => {
    const { id, pipeline } = await ended(taskThat('echo then'))
    const then = '2020-02-29T12:30:00.000Z'
    await db.updateTable('runs').set({ started_at: then, repository: 'acme/old' }).where('id', '=', id).execute()
    const rule = 'now.date != "2020-02-29" || run.repository != "acme/old"'
    const run = await only({ draft: draft(rule, { at: 'run' }), pipeline })
    assert.deepEqual([run.verdict, run.place], ['blocked', { at: 'run', step: null, task: null, began_at: then }])
    const elsewhere = await only({ draft: draft('false', { scope: 'acme/web/staging*' }), pipeline })
    assert.deepEqual([elsewhere.verdict, elsewhere.differs], ['not_asked', false])
  })

  test('a saved item, and a draft of the same name beside what the item did', async () => {
    const fields = draft('run.variables.COLOUR != "red"', { name: 'no-red', at: 'run' })
    assert.equal((await stage.call('POST', '/v1/knowledge', fields)).status, 201)
    const id = await stage.start(`variables: { COLOUR: red }\n${taskThat('echo red')}`)
    const { pipeline } = await stage.reaches(id, 'failure')
    const saved = await only({ item: 'acme/web/no-red', pipeline })
    assert.deepEqual([saved.happened, saved.verdict, saved.differs], ['blocked', 'blocked', false])
    const milder = await only({ draft: { ...fields, rule: 'run.variables.COLOUR != "blue"' }, pipeline })
    assert.deepEqual([milder.happened, milder.verdict, milder.differs], ['blocked', 'allowed', true])
    assert.match(milder.unknown.join(), /what would have begun later is not known/)
    const another = await only({ draft: { ...fields, name: 'no-blue', rule: 'true' }, pipeline })
    assert.deepEqual([another.verdict, another.differs], ['allowed', false], 'the other item would stop it still')
    assert.equal(
      (await stage.call('PUT', '/v1/knowledge/acme%2Fweb%2Fno-red', { rule: 'true', message: 'x' })).status,
      200,
    )
  })

  test('asks about what began: not about what was taken over, and not about what is still to come', async () => {
    const document = `steps:
  - { name: first, tasks: [{ name: ok, run: "true" }] }
  - { name: then, depends_on: [first], tasks: [{ name: bad, run: "true" }] }
`
    const id = await stage.start(document)
    const early = await tried({ draft: draft('true'), limit: 1 })
    assert.match(early.runs[0]?.unknown.join() ?? '', /only what has begun so far was tried/)
    await stage.done(id, 'ok')
    stage.runner.finish((await stage.given(id, 'bad')).fence, Result.FAILURE)
    const { pipeline } = await stage.reaches(id, 'failure')
    assert.equal((await only({ draft: draft('true'), pipeline })).places, 5)
    const again = await stage.call('POST', `/v1/runs/${id}/rerun`, { mode: 'failed' })
    stage.house.dispatch.poke()
    await stage.done(again.body.runId, 'bad')
    await stage.reaches(again.body.runId, 'success')
    const [newest] = (await tried({ draft: draft('true'), pipeline })).runs
    assert.deepEqual([newest?.run_id, newest?.places], [again.body.runId, 3])
  })

  test('a question to people is a task that began', async () => {
    const id = await stage.start('steps:\n  - { name: gate, approval: { approvers: [user:ada], timeout: 1h } }\n')
    const { pipeline } = await stage.reaches(id, 'paused')
    const run = await only({ draft: draft('task.kind != "approval"'), pipeline })
    assert.deepEqual([run.verdict, run.place?.step], ['blocked', 'gate'])
  })

  test('a run that never began was asked about nothing', async () => {
    const scope = 'acme/web/frozen'
    await stage.call('POST', '/v1/emergencies', { scope, reason: 'A leak.' })
    const id = await stage.start(taskThat('echo late'), { scope })
    await stage.call('POST', `/v1/runs/${id}/cancel`, {})
    const { pipeline } = await stage.reaches(id, 'canceled')
    const run = await only({ draft: draft('false'), pipeline })
    assert.deepEqual([run.happened, run.verdict, run.differs, run.places], ['not_begun', 'not_asked', false, 0])
  })

  test('says what is not known any more', async () => {
    const { id, pipeline } = await ended(taskThat('echo lost'))
    await sql`with version as (
        insert into pipeline_versions (id, pipeline_id, version, document, graph, saved_by, saved_at)
        select gen_random_uuid(), pipeline_id, version + 1, document, '{"format": 99}', saved_by, saved_at
        from pipeline_versions where id = (select pipeline_version_id from runs where id = ${id}) returning id
      ) update runs set pipeline_version_id = version.id from version where runs.id = ${id}`.execute(db)
    const run = await only({ draft: draft('true'), pipeline })
    assert.deepEqual([run.verdict, run.differs, run.places], ['unknown', false, 1])
    assert.deepEqual(run.unknown, [
      'The document of its pipeline cannot be read any more.',
      '2 of its steps and tasks could not be tried: what its document said of them is not known.',
    ])
    assert.equal((await only({ draft: draft('false'), pipeline })).verdict, 'blocked', 'its facts are known')
  })

  test('of a scope, of a team, of everything, and so many', async () => {
    const always = draft('true', { team_path: '/' })
    const all = await tried({ draft: always })
    assert.ok(all.tried > 3)
    assert.equal((await tried({ draft: always, scope: 'acme/web/production' })).tried, all.tried - 1)
    assert.equal((await tried({ draft: always, scope: 'acme/web/frozen' })).tried, 1)
    assert.equal((await tried({ draft: always, scope: 'acme/shop/production' })).tried, 0)
    assert.equal((await tried({ draft: always, team_path: 'acme' })).tried, all.tried)
    assert.equal((await tried({ draft: always, team_path: 'acme/shop' })).tried, 0)
    assert.equal((await tried({ draft: always, team_path: '/', limit: 2 })).tried, 2)
    assert.equal((await tried({ draft: always, pipeline: 'acme/web/none' })).tried, 0)
    const reference = draft('', { kind: 'reference', rule: null, message: null, text: 'How we deploy.' })
    const { verdicts } = await tried({ draft: reference })
    assert.equal(verdicts.allowed + verdicts.blocked, 0, 'it blocks nothing')
  })
})

describe('a trial for somebody who may not read everything', () => {
  const idea = draft('false')

  test('neither tries nor counts a run without run.read, or without pipeline.read, whose document rules read', async () => {
    assert.ok((await tried({ draft: idea }, 'viewer')).tried > 0)
    const [{ pipeline } = assert.fail()] = (await tried({ draft: idea, limit: 1 })).runs
    for (const who of ['no-runs', 'no-pipelines']) {
      for (const narrowed of [{}, { pipeline }, { team_path: '/' }, { scope: 'acme/web/production' }]) {
        const { tried: count, runs, differing } = await tried({ draft: idea, ...narrowed }, who)
        assert.deepEqual([count, runs, differing], [0, [], 0], who)
      }
    }
  })

  test('an item of a team above is tried on the runs of the own team only', async () => {
    const fields = draft('false', { team_path: 'acme', name: 'above', scope: 'acme/none/*' })
    assert.equal((await stage.call('POST', '/v1/knowledge', fields)).status, 201)
    assert.equal((await tried({ item: 'acme/above' }, 'beside')).tried, 0)
    assert.ok((await tried({ item: 'acme/above' }, 'viewer')).tried > 0)
  })

  test('hides items, and refuses drafts of other teams', async () => {
    const hidden = await ask({ item: 'acme/web/no-red' }, 'stranger')
    assert.deepEqual([hidden.status, hidden.body.code], [404, 'not_found'])
    assert.deepEqual(
      hidden.body.detail,
      (await ask({ item: 'acme/web/none' }, 'stranger')).body.detail.replace('none', 'no-red'),
    )
    assert.equal((await ask({ draft: idea }, 'stranger')).status, 403)
    const own = draft('false', { team_path: 'other' })
    for (const narrowed of [{}, { team_path: 'acme' }, { scope: 'acme/web/production' }]) {
      assert.equal((await tried({ draft: own, ...narrowed }, 'stranger')).tried, 0)
    }
  })

  test('nobody in particular', async () => {
    assert.equal((await ask({ draft: idea }, 'nobody')).status, 401)
  })
})

describe('a trial that is asked wrongly', () => {
  for (const [what, body, code, field] of [
    ['without an item', {}, 'invalid_request', 'item'],
    ['with two', { item: 'acme/web/no-red', draft: draft('true') }, 'invalid_request', 'item'],
    ['with an unknown field', { item: 'acme/web/no-red', wish: 1 }, 'invalid_request', 'wish'],
    ['for too many runs', { item: 'acme/web/no-red', limit: 201 }, 'invalid_request', 'limit'],
    ['with a rule that cannot be read', { draft: draft('run.nope == 1') }, 'knowledge.invalid', 'rule'],
  ] as const) {
    test(`${what} is 400`, async () => {
      const answer = await ask(body)
      assert.deepEqual([answer.status, answer.body.code], [400, code], JSON.stringify(answer.body))
      assert.equal(answer.body.errors[0]?.field, field)
    })
  }
})

describe('a hostile rule', () => {
  const list = `[${Array.from({ length: 40 }, (_, at) => at).join(',')}]`
  /** True, after about 35,000 of the 50,000 steps that it may take. */
  const slow = `${list}.all(a, ${list}.all(b, a + b + 1 >= 0 && a - b < 1000))`

  test('that takes too long at one place stops there, as it would stop a run', async () => {
    const greedy = `${slow} && ${slow.replaceAll('1000', '1001')}`
    const [run] = (await tried({ draft: draft(greedy), limit: 1 })).runs
    assert.equal(run?.verdict, 'blocked')
    assert.match(run?.violation ?? '', /cannot be judged.*more than 50000 steps/)
  })

  test('that takes long at many places ends the trial early, which says so', async () => {
    const tasks = Array.from({ length: 160 }, (_, at) => `      - { name: t${at}, run: "true" }\n`).join('')
    const id = await stage.start(`steps:\n  - name: many\n    tasks:\n${tasks}`)
    await stage.given(id, 't0')
    const { runs, stopped_early, tried: count } = await tried({ draft: draft(slow), limit: 2 })
    assert.deepEqual([count, runs], [0, []])
    assert.match(stopped_early ?? '', /^Only 0 of 2 runs were tried/)
    await stage.call('POST', `/v1/runs/${id}/cancel`, {})
  })
})
