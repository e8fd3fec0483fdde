import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { FakeRunner, openStage, type Stage } from './testing/index.ts'

let stage: Stage
let engine: FakeRunner

// Registered before the database's own: hooks run in that order.
after(async () => {
  engine.leave()
  await stage.close()
})

const { database } = await createTestDatabase()
const db = database.kysely

before(async () => {
  stage = await openStage(database)
  engine = await FakeRunner.enrolled(stage.house, { name: 'engine', scopes: ['acme/**'], capacity: 20 })
  engine.executors = ['container']
  await engine.connect(stage.house)
  for (const scope of ['acme/web/production', 'acme/web/test', 'acme/labs/production']) await anEnvironment(db, scope)
  const secret = { teamPath: 'acme/web', name: 'deploy', value: 'robot:s3cret', environments: ['production'] }
  await aSecret(stage.house.kit, db, secret)
})

const DOCUMENTS = {
  'in the environment of a task':
    'secrets: { DEPLOY: acme/web/deploy }\nsteps: [{ name: a, tasks: [{ name: t, run: "true" }] }]\n',
  'as the password of a registry':
    'steps: [{ name: a, tasks: [{ name: t, run: "true", image: "evil.example/x", registry_credential: acme/web/deploy }] }]\n',
}

describe('a secret of one environment', () => {
  for (const [how, document] of Object.entries(DOCUMENTS)) {
    test(`is given to runs of that environment alone, ${how}`, async () => {
      // Another team may call its environments as it likes.
      for (const scope of ['acme/web/test', 'acme/labs/production']) {
        const ended = await stage.reaches(await stage.start(document, { scope }), 'failure')
        assert.match(
          ended.reason ?? '',
          new RegExp(
            `(secrets\\.DEPLOY|The image cannot be pulled): The secret acme/web/deploy may not be used in the scope ${scope}`,
          ),
        )
      }
      const id = await stage.start(document, { scope: 'acme/web/production' })
      const assigns = () => [...stage.runner.assigns, ...engine.assigns].find(({ runId }) => runId === id)
      const assign = await until('the task', assigns, (one) => one !== undefined)
      assert.ok(assign)
      const [login] = assign.container?.registryLogins ?? []
      assert.equal(assign.environment['DEPLOY'] ?? `${login?.username}:${login?.password}`, 'robot:s3cret')
      const runner = engine.assigns.includes(assign) ? engine : stage.runner
      runner.finish(assign.fence)
      await stage.reaches(id, 'success')
    })
  }
})
