import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { SCOPE, TEAM } from '../sources/testing.ts'
import { aRepository, giveCommand, openCommands, openFakeProvider } from './testing.ts'

// A person who is no user here has the rights of the source's owner, but in no protected scope, and in no other team.

const house = await openCommands(await createTestDatabase())
const provider = await openFakeProvider()
const db = house.kit.database.kysely
after(async () => {
  await house.close()
  await provider.close()
})

const root = await db.selectFrom('users').select('id').where('login', '=', 'root').executeTakeFirstOrThrow()
const protection = { protected: true, allowedSubjects: [`user:${root.id}`] }

async function aDeployment(name: string, scope: string, cause: object): Promise<void> {
  await anEnvironment(db, scope, protection)
  const steps = `steps:\n  - name: ship\n    scope: ${scope}\n    tasks: [{ name: t, run: "true" }]\n`
  await aPipeline(db, `${TEAM}/${name}`, `name: ${name}\n${steps}`)
  const trigger = { name, team_path: TEAM, pipeline: `${TEAM}/${name}`, scope: SCOPE, branches: [], ...cause }
  const { status, text } = await house.call('POST', '/v1/triggers', trigger)
  assert.equal(status, 201, text)
}

for (const [name, scope, refusal] of [
  // They do not even hear that there is such a scope in another team.
  ['release', 'ops/production', 'not_possible'],
  ['deploy', 'acme/web/sub/production', 'not_permitted'],
] as const) {
  test(`they reach the protected ${scope} by no step of a pipeline`, async () => {
    const repository = await aRepository(house, provider)
    const cause = { events: ['pull_request_comment'], commands: [`/${name}`], repositories: [repository.fullName] }
    await aDeployment(name, scope, cause)
    const { outcome, reason } = await giveCommand(house, repository, `/run ${name} on ${SCOPE}`)
    assert.equal(outcome, refusal, reason ?? '')
    assert.deepEqual(await repository.runs(), [])
  })
}

test('nor by a rerun', async () => {
  const repository = await aRepository(house, provider)
  await aDeployment('again', 'acme/web/below/production', {
    events: ['pull_request'],
    repositories: [repository.fullName],
  })
  await repository.open()
  await house.work()
  const [first] = (await repository.runs()).filter((run) => run.pipeline_identifier.endsWith('again'))
  assert.ok(first)
  const ended = { status: 'failure' as const, finished_at: new Date(), started_at: new Date() }
  await db.updateTable('runs').set(ended).where('id', '=', first.id).execute()
  const { outcome } = await giveCommand(house, repository, '/rerun')
  assert.equal(outcome, 'not_permitted')
})
