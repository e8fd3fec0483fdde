import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import { aProfile } from '../../catalog/profiles/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
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
  await aTeam(db, 'acme/web')
  for (const name of ['ghcr', 'hub']) {
    await aSecret(stage.house.kit, db, { teamPath: 'acme/web', name, value: `robot:password-of-${name}` })
  }
  await aProfile(db, 'acme/web/boxed', { executor: 'container', image: 'quay.io/acme/base' })
  await aProfile(db, 'acme/web/odd', { executor: 'container', image: 'localhost/../../x' })
})

const document = (task: string) => `steps: [{ name: a, tasks: [{ name: t, run: "true", ${task} }] }]\n`

/** The logins that the runner gets for registries, as `registry user:password`. */
const loginsFor = async (task: string) => {
  const id = await stage.start(document(task))
  const assign = await until(
    'the task',
    () => engine.assigns.find(({ runId }) => runId === id),
    (one) => one !== undefined,
  )
  assert.ok(assign)
  engine.finish(assign.fence)
  await stage.reaches(id, 'success')
  const { registryLogins = [] } = assign.container ?? {}
  for (const { password } of registryLogins) assert.ok(assign.maskedValues.includes(password))
  return registryLogins.map(({ registry, username, password }) => `${registry} ${username}:${password}`)
}

describe('the password of a registry', () => {
  const both = 'registry_credential: { ghcr.io: acme/web/ghcr, docker.io: acme/web/hub }'

  test('goes with images of that registry, of services too, and no other is told', async () => {
    assert.deepEqual(await loginsFor(`image: ghcr.io/acme/web, ${both}`), ['ghcr.io robot:password-of-ghcr'])
    assert.deepEqual(await loginsFor(`image: ghcr.io/acme/web, services: [{ name: db, image: postgres }], ${both}`), [
      'ghcr.io robot:password-of-ghcr',
      'docker.io robot:password-of-hub',
    ])
    assert.deepEqual(await loginsFor(`image: quay.io/acme/web, ${both}`), [])
  })

  test('without a registry is for that of the image, which may be that of a profile', async () => {
    assert.deepEqual(await loginsFor('image: ghcr.io/acme/web, registry_credential: acme/web/ghcr'), [
      'ghcr.io robot:password-of-ghcr',
    ])
    assert.deepEqual(await loginsFor('profile: boxed, registry_credential: acme/web/hub'), [
      'quay.io robot:password-of-hub',
    ])
  })

  test("without a registry is nobody's where images come from two", async () => {
    const task = 'profile: boxed, services: [{ name: db, image: postgres }], registry_credential: acme/web/hub'
    const { reason } = await stage.reaches(await stage.start(document(task)), 'failure')
    assert.match(
      reason ?? '',
      /images of the task come from quay\.io and docker\.io: write \{ quay\.io: acme\/web\/hub \} or/,
    )
  })
})

describe('what an attempt really ran', () => {
  const digest = (digit: string) => `sha256:${digit.repeat(64)}`
  const used = [
    { image: 'ghcr.io/acme/web:1', digest: digest('1') },
    { service: 'db', image: 'postgres', digest: digest('2') },
  ]
  const shown = [{ service: null, ...used[0] }, used[1]]
  const imagesOf = async (id: string) => (await stage.show(id)).steps[0]?.tasks[0]?.attempts.map(({ images }) => images)

  test('is shown with it by digest while it runs, and stays when it ends', async () => {
    const id = await stage.start(document('image: "ghcr.io/acme/web:1", services: [{ name: db, image: postgres }]'))
    const assign = await until(
      'the task',
      () => engine.assigns.find(({ runId }) => runId === id),
      (one) => one !== undefined,
    )
    assert.ok(assign)
    assert.deepEqual(await imagesOf(id), [[]])
    engine.start(assign.fence, used)
    await until(
      'its images',
      () => imagesOf(id),
      (images) => images?.[0]?.length === 2,
    )
    assert.deepEqual(await imagesOf(id), [shown])
    engine.finish(assign.fence)
    await stage.reaches(id, 'success')
    assert.deepEqual(await imagesOf(id), [shown])
  })

  test('is shown where its begin and its end are heard at once', async () => {
    const id = await stage.start(document('image: "ghcr.io/acme/web:1", services: [{ name: db, image: postgres }]'))
    const assign = await until(
      'the task',
      () => engine.assigns.find(({ runId }) => runId === id),
      (one) => one !== undefined,
    )
    assert.ok(assign)
    engine.start(assign.fence, used)
    engine.finish(assign.fence)
    await stage.reaches(id, 'success')
    assert.deepEqual(await imagesOf(id), [shown])
  })
})

test('an image whose name can be none is refused before a runner hears of it', async () => {
  const { reason } = await stage.reaches(await stage.start(document('profile: odd')), 'failure')
  assert.match(
    reason ?? '',
    /The image "localhost\/\.\.\/\.\.\/x" is no reference of an image: its path cannot hold \.\./,
  )
})
