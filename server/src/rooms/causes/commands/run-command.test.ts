import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { Role } from '@signalbox/contracts/access'
import { createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { SCOPE, TEAM } from '../sources/testing.ts'
import {
  aRepository,
  type CommandHouse,
  type CommentOptions,
  giveCommand,
  HEAD,
  linkUser,
  listAudited,
  MONA,
  openCommands,
  openFakeProvider,
  type Repository,
} from './testing.ts'

const house: CommandHouse = await openCommands(await createTestDatabase())
const provider = await openFakeProvider()
const db = house.kit.database.kysely
after(async () => {
  await house.close()
  await provider.close()
})
afterEach(() => {
  provider.pull = { head: HEAD, fork: false, state: 'open' }
  provider.permissions.set('mona', { id: MONA.id, permission: 'write' })
})

await aPipeline(
  db,
  `${TEAM}/typed`,
  'name: typed\nvariables: { LEVEL: low }\nsteps: [{ name: a, tasks: [{ name: t, run: "true" }] }]\n',
)
await anEnvironment(db, 'acme/other/live')
await aPipeline(db, 'acme/other/ship')

type Posted = Repository
const LATER = '2126-11-28T10:00:00Z'

const give = (repository: Posted, body: string, options?: CommentOptions) =>
  giveCommand(house, repository, body, options)
const audited = (runId: string | undefined) => listAudited(house, runId)
const aLinkedUser = (login: string, role: Role, teamPath: string, accountId: number) =>
  linkUser(house, provider, { login, role, teamPath, accountId })

describe('/run', () => {
  test('starts the pipeline at the head that the provider names, as the owner of the source, once', async () => {
    const repository = await aRepository(house, provider)
    const { id, command, told } = await give(repository, 'Please.\n\n/run build\n')
    const [run, ...others] = await repository.runs()
    assert.deepEqual(others, [])
    assert.deepEqual(
      [run?.pipeline_identifier, run?.commit_sha, run?.scope, run?.status, run?.untrusted, run?.withheld],
      [`${TEAM}/build`, HEAD, SCOPE, 'queued', false, null],
    )
    assert.match(run?.initiator_name ?? '', /^root, for mona at GitHub$/)
    assert.equal(run?.note, 'Asked for by mona in a comment.')
    assert.deepEqual(
      [command?.['state'], command?.['outcome'], command?.['command'], command?.['comment_id'], command?.['run_ids']],
      ['done', 'started', '/run build', id, [run?.id]],
    )
    assert.deepEqual(told, { commentId: id, reaction: 'done', text: undefined })
    const [record] = await audited(run?.id)
    assert.equal(record?.action, 'run.started')
    assert.partialDeepStrictEqual(record?.state, {
      via: 'comment',
      pipeline: `${TEAM}/build`,
      comment: { comment_id: id, author_id: String(MONA.id), author_login: 'mona', pull_request: 7 },
    })
  })

  test('is done once, whatever is delivered how often, and by however many processes', async () => {
    const repository = await aRepository(house, provider)
    const id = await repository.comment('/run build')
    await repository.comment('/run build', { again: id })
    const job = house.jobs.find(({ name }) => name === 'commands.carry-out')
    const react = house.jobs.find(({ name }) => name === 'facts.react')
    assert.ok(job && react)
    const facts = await db.selectFrom('facts').select('id').where('kind', '=', 'comment.posted').execute()
    const hear = facts.map(
      (fact) => () => react.run({ factId: fact.id, reaction: 'commands.hear' }, new AbortController().signal),
    )
    await Promise.all([...hear, ...hear].map((work) => work()))
    const [row] = await repository.listed()
    await Promise.all([1, 2, 3].map(() => job.run({ id: row?.['id'] }, new AbortController().signal)))
    await house.work()
    assert.equal((await repository.runs()).length, 1)
    assert.equal((await repository.listed()).length, 1)
  })

  test('sets the variables that the pipeline declares, and no others', async () => {
    const repository = await aRepository(house, provider)
    const trigger = { name: 'typed', team_path: TEAM, pipeline: `${TEAM}/typed`, scope: SCOPE, branches: [] }
    const made = await house.call('POST', '/v1/triggers', {
      ...trigger,
      events: ['pull_request_comment'],
      commands: ['/typed'],
      repositories: [repository.fullName],
    })
    assert.equal(made.status, 201, made.text)
    assert.equal((await give(repository, '/run acme/web/typed LEVEL=high')).outcome, 'started')
    assert.partialDeepStrictEqual((await repository.runs())[0]?.variables, { LEVEL: 'high' })
    const refused = await give(repository, '/run typed OTHER=1')
    assert.deepEqual([refused.state, refused.outcome], ['refused', 'not_possible'])
    assert.match(refused.reason, /OTHER/)
    assert.equal(refused.told?.reaction, 'refused')
    assert.equal((await repository.runs()).length, 1)
  })

  test('is nothing for who may only read, whatever the payload calls them', async () => {
    for (const [permission, association] of [
      ['read', 'COLLABORATOR'],
      ['triage', 'MEMBER'],
      ['read', 'OWNER'],
      ['none', 'OWNER'],
    ] as const) {
      const repository = await aRepository(house, provider)
      provider.permissions.set('mona', { id: MONA.id, permission })
      const { outcome, told } = await give(repository, '/run build', { association })
      assert.equal(outcome, 'not_permitted')
      assert.deepEqual([told?.reaction, told?.text], ['refused', undefined])
      assert.deepEqual(await repository.runs(), [])
    }
  })

  test('is nothing for who took over a login', async () => {
    const repository = await aRepository(house, provider)
    // The login belongs to somebody who may write by now; the author has another id.
    const { outcome } = await give(repository, '/run build', { by: { id: 666, login: 'mona' } })
    assert.equal(outcome, 'not_permitted')
    assert.deepEqual(await repository.runs(), [])
  })

  test('counts for who is called otherwise by now', async () => {
    const repository = await aRepository(house, provider)
    provider.permissions.set('lisa', { id: MONA.id, permission: 'admin' })
    provider.permissions.set('mona', { id: 999, permission: 'read' })
    const { outcome } = await give(repository, '/run build', { shown: { user: { id: MONA.id, login: 'lisa' } } })
    assert.equal(outcome, 'started')
  })

  const nothing: [string, string, CommentOptions | undefined, string | undefined][] = [
    ['an edited comment', '/run build', { shown: { body: '/run build A=1' } }, 'edited'],
    ['a comment that was harmless when it was posted', '/help', { shown: { body: '/run build' } }, 'edited'],
    ['a deleted comment', '/run build', { shown: null }, 'deleted'],
    ['a comment that was edited there and back', '/run build', { shown: { editedAt: LATER } }, 'edited'],
    ['a comment that shows another author', '/run build', { shown: { user: { id: 1, login: 'eve' } } }, 'edited'],
    ['a bot', '/run build', { by: { id: 5, login: 'renovate', type: 'Bot' } }, 'bot'],
    ['a bot by its login', '/run build', { by: { id: 5, login: 'renovate[bot]' } }, 'bot'],
    ['our own app', '/run build', { by: { id: 6, login: 'signalbox-app[bot]' } }, 'bot'],
    ['an old comment that is delivered again', '/run build', { at: '2026-01-01T00:00:00Z' }, 'expired'],
    ['a fence', '```\n/run build\n```', {}, 'ignored'],
    ['a quote', '> Nils wrote:\n/run build', {}, 'ignored'],
    ['an edit', '/run build', { action: 'edited' }, undefined],
    ['a deletion', '/run build', { action: 'deleted' }, undefined],
    ['a quoted line', '> /run build', {}, undefined],
    ['a path', '/etc/passwd is wrong\nsee there', {}, undefined],
  ]
  for (const [what, body, options, outcome] of nothing) {
    test(`${what} starts nothing`, async () => {
      const repository = await aRepository(house, provider)
      const given = await give(repository, body, options)
      assert.equal(given.outcome, outcome)
      assert.deepEqual(await repository.runs(), [])
      const isSilent = outcome === undefined || ['bot', 'deleted', 'ignored'].includes(outcome)
      assert.equal(given.told === undefined, isSilent)
    })
  }

  test('of a pull request from a fork is untrusted, and waits for a member', async () => {
    const repository = await aRepository(house, provider)
    provider.pull = { head: HEAD, fork: true, state: 'open' }
    assert.equal((await give(repository, '/run build')).outcome, 'started')
    const [run] = await repository.runs()
    assert.deepEqual([run?.untrusted, run?.withheld, run?.commit_sha], [true, 'fork_approval', HEAD])
  })

  test('starts nothing for a closed pull request, a stranger pipeline, and one of another team', async () => {
    const repository = await aRepository(house, provider)
    provider.pull = { head: HEAD, fork: false, state: 'closed' }
    assert.match((await give(repository, '/run build')).reason, /is closed/)
    provider.pull = { head: HEAD, fork: false, state: 'open' }
    assert.match((await give(repository, '/run typed')).reason, /No trigger runs acme\/web\/typed/)
    assert.match((await give(repository, '/run acme/other/ship')).reason, /Only pipelines of acme\/web and below/)
    assert.match((await give(repository, '/run none')).reason, /No trigger runs/)
    assert.deepEqual(await repository.runs(), [])
  })

  test('uses no protected scope for a person who is no user here, nor for a fork', async () => {
    const repository = await aRepository(house, provider)
    await anEnvironment(db, 'acme/web/production')
    await db.updateTable('environments').set({ protected: true }).where('name', '=', 'production').execute()
    const refused = await give(repository, '/run build on acme/web/production')
    assert.deepEqual([refused.outcome], ['not_permitted'])
    assert.match(refused.reason, /protected or does not exist/)
    // Two environments: one must be named.
    const which = await give(repository, '/run build')
    assert.match(which.reason, /Write \/run <pipeline> on <scope>\. Name the scope/)
    assert.equal((await give(repository, `/run build on ${SCOPE}`)).outcome, 'started')
  })

  test('starts as the linked user, whose own rights decide', async () => {
    const repository = await aRepository(house, provider)
    const nils = { id: 4_001, login: 'nils' }
    provider.permissions.set('nils', { id: nils.id, permission: 'write' })
    const member = await aLinkedUser('nils-here', 'operator', TEAM, nils.id)
    assert.equal((await give(repository, `/run build on ${SCOPE}`, { by: nils })).outcome, 'started')
    const [run] = await repository.runs()
    assert.deepEqual([run?.initiator_id, run?.initiator_name], [member.id, 'nils-here'])
    assert.deepEqual(
      (await audited(run?.id)).map(({ actor_id }) => actor_id),
      [member.id],
    )
    // An operator may start the pipeline, but not have it run the code of any repository.
    const stray = await give(repository, `/run typed on ${SCOPE}`, { by: nils })
    assert.equal(stray.outcome, 'not_permitted')
    assert.match(stray.reason, /pipeline\.write/)
  })

  test('is refused for a linked user of another team, though the owner of the source might', async () => {
    const repository = await aRepository(house, provider)
    const olga = { id: 4_002, login: 'olga' }
    provider.permissions.set('olga', { id: olga.id, permission: 'admin' })
    const member = await aLinkedUser('olga-here', 'editor', 'acme/other', olga.id)
    const refused = await give(repository, `/run build on ${SCOPE}`, { by: olga })
    assert.deepEqual([refused.outcome, await repository.runs()], ['not_permitted', []])
    await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', member.id).execute()
    const disabled = await give(repository, `/run build on ${SCOPE}`, { by: olga })
    assert.equal(disabled.outcome, 'not_permitted')
    assert.deepEqual(await repository.runs(), [])
  })

  test('that cannot be read is answered with its form, to who may write alone', async () => {
    const repository = await aRepository(house, provider)
    const wrong = await give(repository, '/run')
    assert.deepEqual([wrong.outcome, wrong.told?.reaction], ['malformed', 'confused'])
    assert.match(wrong.told?.text ?? '', /Write \/run <pipeline>/)
    const unknown = await give(repository, '/runn build')
    assert.deepEqual([unknown.outcome, unknown.told?.reaction], ['malformed', 'confused'])
    provider.permissions.set('mona', { id: MONA.id, permission: 'read' })
    assert.deepEqual((await give(repository, '/run')).told?.text, undefined)
    assert.equal((await give(repository, '/runn build')).outcome, 'ignored')
  })
})
