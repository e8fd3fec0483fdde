import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { createTestDatabase, testCaller } from '#platform/testing'
import { aSnapshot } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { openStage, type Stage } from './testing/index.ts'

let stage: Stage

// Registered before the database's own: hooks run in that order.
after(async () => await stage.close())

const { database } = await createTestDatabase()
const db = database.kysely
const ada = testCaller({ acme: ['*'] }, { id: 'ada', name: 'ada' })
/** Starts runs of acme/web alone, and reads no secrets. */
const bob = testCaller(
  { 'acme/web': ['run.start', 'run.read', 'pipeline.read', 'scope.use'] },
  { id: 'bob', name: 'bob' },
)

before(async () => {
  const snapshot = () => aSnapshot({ users: [{ id: 'ada', login: 'ada' }] })
  stage = await openStage(database, { snapshot }, { ada, bob, stranger: testCaller({ other: ['*'] }) })
  for (const scope of ['acme/web/production', 'acme/ops/production']) await anEnvironment(db, scope)
})

const DOCUMENT = `variables: { COLOUR: red }
steps:
  - { name: make, tasks: [{ name: mint, run: "true", outputs: { word: {}, token: { sensitive: true } } }] }
  - { name: side, tasks: [{ name: other, run: "true" }] }
  - name: use
    depends_on: [make]
    tasks:
      - { name: first, run: "true", env: { WORD: $steps.make.mint.outputs.word, TOKEN: $steps.make.mint.outputs.token } }
      - { name: second, depends_on: [first], run: "true" }
  - { name: last, depends_on: [use], tasks: [{ name: end, run: "true" }] }
`
const rerun = async (id: string, body: unknown, who = 'root') => {
  const answer = await stage.call('POST', `/v1/runs/${id}/rerun`, body, who)
  stage.house.dispatch.poke()
  return answer
}
/** A run whose second task of `use` failed. */
const failed = async (): Promise<string> => {
  const id = await stage.start(DOCUMENT)
  await stage.done(id, 'mint', { word: 'moin', token: 'hunter2-hunter2' })
  await stage.done(id, 'other')
  await stage.done(id, 'first')
  stage.runner.finish((await stage.given(id, 'second')).fence, Result.FAILURE)
  await stage.reaches(id, 'failure')
  return id
}
const assignedTo = (id: string): string[] =>
  stage.runner.assigns.filter((each) => each.runId === id).map(({ task }) => task)

describe('a rerun', () => {
  test('from failed takes over what succeeded, sensitive outputs too, and does the rest', async () => {
    const id = await failed()
    const answer = await rerun(id, { mode: 'failed' })
    assert.equal(answer.status, 202)
    const again: string = answer.body.runId
    await stage.done(again, 'second')
    await stage.done(again, 'end')
    const ended = await stage.reaches(again, 'success')
    assert.deepEqual(assignedTo(again), ['second', 'end'])
    assert.deepEqual(ended.rerun, { of: id, mode: 'failed', step: null })
    assert.equal(ended.steps[0]?.tasks[0]?.reason, `taken over from run ${id}`)
    const outputs = await stage.call('GET', `/v1/runs/${again}/outputs`)
    assert.deepEqual(
      outputs.body.map((one: { name: string; value: string | null }) => [one.name, one.value]),
      [
        ['word', 'moin'],
        ['token', null],
      ],
    )
  })

  test('from a step does it and what follows it, with what came before', async () => {
    const id = await failed()
    const again: string = (await rerun(id, { mode: 'step', step: 'use' })).body.runId
    const first = await stage.done(again, 'first')
    assert.deepEqual([first.environment['WORD'], first.environment['TOKEN']], ['moin', 'hunter2-hunter2'])
    assert.ok(first.maskedValues.includes('hunter2-hunter2'))
    await stage.done(again, 'second')
    await stage.done(again, 'end')
    await stage.reaches(again, 'success')
    assert.deepEqual(assignedTo(again), ['first', 'second', 'end'])
    // A rerun can take over tasks that its original took over.
    const third: string = (await rerun(again, { mode: 'step', step: 'last' })).body.runId
    await stage.done(third, 'end')
    await stage.reaches(third, 'success')
    assert.deepEqual(assignedTo(third), ['end'])
  })

  test('is refused with a sentence where it is not possible', async () => {
    const id = await failed()
    for (const [body, status, why] of [
      [{ mode: 'step', step: 'nowhere' }, 409, /no step nowhere; it has make, side, use, last/],
      [{ mode: 'step' }, 400, /Name a step with the mode "step"/],
      [{ mode: 'failed', step: 'use' }, 400, /only there/],
      [{ variables: { COLOR: 'x' } }, 400, /COLOR is not a variable/],
    ] as const) {
      const answer = await rerun(id, body)
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      assert.match(answer.body.detail, why)
    }
    const good = await stage.start('steps: [{ name: a, tasks: [{ name: t, run: "true" }] }]\n')
    const early = await rerun(good, { mode: 'failed' })
    assert.deepEqual([early.status, early.body.code], [409, 'run.not_repeatable'])
    await stage.done(good, 't')
    await stage.reaches(good, 'success')
    assert.match((await rerun(good, { mode: 'failed' })).body.detail, /Nothing in the run failed/)
  })

  test('may be of the newest document, and is compared with the old one', async () => {
    const id = await failed()
    const { pipeline } = await stage.show(id)
    const name = pipeline.slice('acme/web/'.length)
    const document = `name: ${name}\n${DOCUMENT.replace('COLOUR: red', 'COLOUR: blue')}`
    const saved = await stage.call('PUT', `/v1/pipelines/${encodeURIComponent(pipeline)}`, { document })
    assert.equal(saved.status, 200, JSON.stringify(saved.body))
    const again: string = (await rerun(id, { mode: 'failed', document: 'newest' })).body.runId
    await stage.done(again, 'second')
    await stage.done(again, 'end')
    const ended = await stage.reaches(again, 'success')
    assert.deepEqual([ended.pipeline_version, ended.variables['COLOUR']], [2, 'blue'])
    const { status, body } = await stage.call('GET', `/v1/runs/${id}/compare/${again}`)
    assert.equal(status, 200)
    assert.match(body.document.diff, /^-variables: \{ COLOUR: red \}$/m)
    assert.match(body.document.diff, /^\+variables: \{ COLOUR: blue \}$/m)
    assert.deepEqual(body.variables, [{ name: 'COLOUR', left: 'red', right: 'blue' }])
    assert.deepEqual([body.left.status, body.right.status, body.right.rerun_of], ['failure', 'success', id])
    const second = body.tasks.find(({ task }: { task: string }) => task === 'second')
    assert.deepEqual([second.left.status, second.right.status, second.right.runner], ['failure', 'success', 'box'])
    assert.equal((await stage.call('GET', `/v1/runs/${id}/compare/${again}`, undefined, 'stranger')).status, 404)
  })

  test('asks people again where the work is another', async () => {
    const approved = `variables: { COLOUR: red }
steps:
  - { name: release, approval: { approvers: [user:ada], timeout: 1h } }
  - { name: ship, depends_on: [release], tasks: [{ name: go, run: "true" }] }
`
    const id = await stage.start(approved)
    await stage.reaches(id, 'paused')
    await stage.call('POST', `/v1/runs/${id}/approvals/release`, { decision: 'approve' }, 'ada')
    stage.runner.finish((await stage.given(id, 'go')).fence, Result.FAILURE)
    await stage.reaches(id, 'failure')
    const same: string = (await rerun(id, { mode: 'failed' })).body.runId
    await stage.done(same, 'go')
    await stage.reaches(same, 'success')
    const other: string = (await rerun(id, { mode: 'failed', variables: { COLOUR: 'blue' } })).body.runId
    await stage.reaches(other, 'paused')
    // A user's approval of the original does not approve the user's own rerun.
    const own: string = (await rerun(id, { mode: 'failed' }, 'ada')).body.runId
    await stage.reaches(own, 'paused')
    const answer = await stage.call('POST', `/v1/runs/${own}/approvals/release`, { decision: 'approve' }, 'ada')
    assert.deepEqual([answer.status, answer.body.code], [403, 'approval.not_approver'])
  })
})

describe('a sensitive output that is taken over', () => {
  test('is in no final output of a newer document that does not call it sensitive', async () => {
    const token = 'hunter2-hunter2'
    const document = (declared: string) => `variables: { COLOUR: red }
steps:
  - { name: make, tasks: [{ name: mint, run: "true", outputs: { token: ${declared} } }] }
  - { name: last, depends_on: [make], tasks: [{ name: end, run: "true" }] }
`
    const id = await stage.start(document('{ sensitive: true }'))
    await stage.done(id, 'mint', { token })
    stage.runner.finish((await stage.given(id, 'end')).fence, Result.FAILURE)
    await stage.reaches(id, 'failure')
    const { pipeline } = await stage.show(id)
    const shown = 'final_outputs: [{ name: shown, format: text, template: $steps.make.mint.outputs.token }]\n'
    const newest = `name: ${pipeline.slice('acme/web/'.length)}\n${document('{}')}${shown}`
    const saved = await stage.call('PUT', `/v1/pipelines/${encodeURIComponent(pipeline)}`, { document: newest })
    assert.equal(saved.status, 200, JSON.stringify(saved.body))
    const again: string = (await rerun(id, { mode: 'failed', document: 'newest' })).body.runId
    await stage.done(again, 'end')
    await stage.reaches(again, 'success')
    const reactions = stage.house.parts.flatMap((part) => part.reactions ?? [])
    const payload = { run_id: again, final_output_status: 'pending' }
    const fact = { id: '', kind: 'run.finished', version: 1, payload, occurredAt: new Date() }
    await reactions.find(({ name }) => name === 'runs.final-outputs')?.react(fact)
    const made = await stage.call('GET', `/v1/runs/${again}/final-outputs`)
    assert.doesNotMatch(JSON.stringify(made.body), new RegExp(token))
    const { final_output_reason } = await stage.show(again)
    assert.match(final_output_reason ?? '', /The final output shown cannot be made: .* is sensitive/)
  })
})

describe('whoever starts a run', () => {
  test('must be allowed to use all that it names, and is told the directive', async () => {
    await aSecret(stage.house.kit, db, { teamPath: 'acme/web', name: 'registry', value: 'user:pass' })
    await stage.store('steps: [{ name: a, tasks: [{ name: t, run: "true" }] }]\n', 'child')
    await db.updateTable('pipelines').set({ name: 'kept' }).where('identifier', '=', 'acme/web/child').execute()
    const say = '{ name: t, run: "true" }'
    const cases = [
      [`secrets: { NPM: acme/web/registry }\nsteps: [{ name: a, tasks: [${say}] }]\n`, 'secrets.NPM'],
      [
        'steps: [{ name: a, tasks: [{ name: t, run: "true", image: "node:24", registry_credential: acme/web/registry }] }]\n',
        'steps.a.tasks.t.registry_credential',
      ],
    ] as const
    for (const [document, field] of cases) {
      const identifier = await stage.store(document)
      const url = `/v1/pipelines/${encodeURIComponent(identifier)}/runs`
      const refused = await stage.call('POST', url, { scope: 'acme/web/production' }, 'bob')
      assert.equal(refused.status, 403, JSON.stringify(refused.body))
      assert.equal(refused.body.errors[0].field, field)
      assert.match(refused.body.detail, new RegExp(`^${field}: You may not use the secrets of acme/web`))
    }
    const lost = await stage.store('steps: [{ name: a, tasks: [{ name: t, pipeline: acme/web/child }] }]\n')
    const answer = await stage.call('POST', `/v1/pipelines/${encodeURIComponent(lost)}/runs`, {
      scope: 'acme/web/production',
    })
    assert.deepEqual([answer.status, answer.body.errors[0].field], [400, 'steps.a.tasks.t.pipeline'])
  })
})
