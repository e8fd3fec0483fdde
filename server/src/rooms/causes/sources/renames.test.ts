import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { DeliveryTrace } from '@signalbox/contracts/sources'
import { createTestDatabase, until } from '#platform/testing'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { keepNames } from './ingress/known-names.ts'
import { aConnectedSource, aSource, aTrigger, deliver, openCauses, PIPELINE, SCOPE, SECRET, TEAM } from './testing.ts'

/**
 * A repository that is renamed or moved at the provider keeps its id. Rules that use the old name keep working, and say
 * so.
 */

const PATH = '/v1/git-webhook-sources'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
/** The names that another process on the same database knows. */
const replica = keepNames(causes.kit)
after(async () => {
  replica.close()
  await causes.close()
})
const db = testDatabase.database.kysely
await anEnvironment(db, 'rival/staging')
await aPipeline(db, 'rival/build')
await aSecret(causes.kit, db, { teamPath: 'rival', name: 'hook', value: SECRET })
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const rival = (await aMember(db, 'rival', 'editor', 'rival')).headers

let made = 0
async function connected(trigger: Record<string, unknown> = {}, source: Record<string, unknown> = {}) {
  made += 1
  const [old, next] = [`acme/old-${made}`, `acme/new-${made}`]
  const one = await aConnectedSource(
    causes,
    { name: `source ${made}`, ...source },
    { name: `trigger-${made}`, repositories: [old], ...trigger },
  )
  const id = 1_000 + made
  return { ...one, old, next, repositoryId: id, push: (name: string, of = id) => push(one.url, name, of) }
}

/** The outcome of a push: the status, and the rules that matched or were told of, each with its note. */
async function push(url: string, fullName: string, id: number) {
  const delivery = signPush({
    secret: SECRET,
    deliveryId: randomUUID(),
    after: randomBytes(20).toString('hex'),
    repository: { id, full_name: fullName, clone_url: `https://github.com/${fullName}.git` },
  })
  const { status } = await deliver(causes, url, delivery)
  return { status, ...(await newest(url)) }
}

async function newest(url: string) {
  const list = `${PATH}/${url.slice(url.lastIndexOf('/') + 1)}/deliveries`
  const { body } = await causes.call('GET', `${list}?limit=1`)
  const id = String(body[0]?.['id'])
  const detail = (await causes.call('GET', `${list}/${id}`)).body
  const trace = detail['trace'] as DeliveryTrace
  const rules = trace.events.flatMap(({ triggers }) => triggers)
  return {
    id,
    list,
    reason: String(detail['reason']),
    started: rules.filter(({ outcome }) => outcome === 'started').map(({ layer }) => layer),
    notes: rules.flatMap(({ conditions }) =>
      conditions.flatMap(({ condition, note }) => (condition === 'repository' && note !== undefined ? [note] : [])),
    ),
  }
}

describe('a trigger of the old name', () => {
  test('starts after a rename, and says what to change, each time', async () => {
    const { push: send, old, next } = await connected()
    assert.deepEqual((await send(old)).notes, [])
    for (let round = 0; round < 2; round += 1) {
      const { status, started, notes } = await send(next)
      assert.deepEqual([status, started], [202, ['service_trigger']])
      assert.deepEqual(notes, [
        `The repository was ${old} before it was renamed or moved: change the trigger to ${next}.`,
      ])
    }
  })

  test('starts nothing for another id of the new name, nor for a name that was only heard elsewhere', async () => {
    const [one, other] = [await connected(), await connected()]
    await one.push(one.old)
    assert.equal((await one.push(one.next, 9_999)).started.length, 0)
    assert.equal((await other.push(one.next, one.repositoryId)).started.length, 0)
  })

  test('belongs to the repository that has the name now, from its first delivery on', async () => {
    const { push: send, old, next } = await connected()
    await send(old)
    assert.equal((await send(next)).started.length, 1)
    assert.deepEqual((await send(old, 7_777)).notes, [])
    assert.deepEqual((await send(next)).started, [])
    // A late delivery of the first repository does not give it back, nor does a rename of the second.
    await send(old)
    assert.deepEqual((await send(next)).started, [])
    assert.deepEqual((await send('acme/elsewhere', 7_777)).started, [])
  })

  test('is known to another process too, and to one that starts', async () => {
    const { push: send, old, next, id, repositoryId } = await connected()
    await send(old)
    await until(
      'the name in the other process',
      async () => (await replica.get()).look(id, { id: String(repositoryId), full_name: next }, new Date()),
      ({ otherNames }) => otherNames?.others[0] === old,
    )
  })

  test('is known once two deliveries of the same instant are stored', async () => {
    const { push: send, old, next } = await connected()
    await Promise.all([send(old), send(old), send(old)])
    await Promise.all([send(next), send(next)])
    assert.equal((await send(next)).started.length, 1)
    const rows = await db.selectFrom('repository_names').select('contested').where('name', 'in', [old, next]).execute()
    assert.deepEqual(rows, [{ contested: false }, { contested: false }])
  })

  test('holds for a replay, which teaches nothing', async () => {
    const { push: send, old, next } = await connected()
    const before = await send(old)
    await send(next)
    const again = await causes.call('POST', `${before.list}/${before.id}/replay`)
    assert.equal(again.body['result'], 'accepted', again.text)
    const rows = await db
      .selectFrom('repository_names')
      .select('name')
      .where('name', 'in', [old, next])
      .orderBy('revision')
      .execute()
    assert.deepEqual(rows, [{ name: old }, { name: next }])
    assert.equal((await send(next)).started.length, 1)
  })

  test('is forgotten where the source is one of another installation from now on', async () => {
    const { push: send, old, next, id } = await connected()
    await send(old)
    const changed = await causes.call('PATCH', `${PATH}/${id}`, { provider: 'gitea', base_url: null })
    assert.equal(changed.status, 200, changed.text)
    await causes.call('PATCH', `${PATH}/${id}`, { provider: 'github' })
    assert.deepEqual((await send(next)).started, [])
  })
})

describe('the allowlist', () => {
  test('never widens by itself: the new name is refused with what to change', async () => {
    const { push: send, old, id, next } = await connected({}, { repository_allowlist: ['acme/*'] })
    await send(old)
    const moved = await send('evil/old')
    assert.equal(moved.status, 403)
    assert.equal(
      moved.reason,
      `The repository evil/old is not in the allowlist of the source. It was ${old} before, which is: where it is still meant, add evil/old to repository_allowlist.`,
    )
    assert.doesNotMatch((await send('evil/other', 5_555)).reason, /before/)
    const again = await causes.call('POST', `${moved.list}/${moved.id}/replay`)
    assert.match(String(again.body['reason']), /It was acme/)
    await causes.call('PATCH', `${PATH}/${id}`, { repository_allowlist: ['evil/*', next] })
    assert.deepEqual((await send('evil/old')).started, [], 'the source is not for the old name any more')
    await causes.call('PATCH', `${PATH}/${id}`, { repository_allowlist: ['evil/*', old] })
    assert.deepEqual((await send('evil/old')).started, ['service_trigger'])
  })
})

describe('an override of the old name', () => {
  const override = { pipeline: PIPELINE, scope: SCOPE }

  test('decides after a rename, and says what to change; one of the new name comes first', async () => {
    const { push: send, old, next } = await connected()
    await send(old)
    assert.equal((await causes.call('PUT', `/v1/overrides/${old}`, override)).status, 200)
    const { started, notes } = await send(next)
    assert.deepEqual(started, ['override'])
    assert.equal(
      notes[0],
      `The repository was ${old} before it was renamed or moved: make the override anew for ${next}, and delete this one.`,
    )
    const resolved = await causes.call('GET', `/v1/overrides/${next}/resolution?ref=main`)
    assert.equal(Object(resolved.body['runs'])[0]?.layer, 'override', resolved.text)
    assert.equal((await causes.call('PUT', `/v1/overrides/${next}`, override)).status, 200)
    const later = await send(next)
    assert.deepEqual(later.started, ['override'])
    assert.ok(!later.notes.some((note) => note.includes('make the override')))
  })
})

describe('a source of another team', () => {
  test('that forges ids reaches no trigger and no override but those that it reaches by name', async () => {
    const { push: send, old } = await connected({ source_id: null, name: 'for-all' })
    await send(old)
    await causes.call('PUT', `/v1/overrides/${old}`, { pipeline: PIPELINE, scope: SCOPE })
    const wanted = aSource({
      name: 'forged',
      team_path: 'rival',
      credential_ref: 'secret:rival/hook',
      repository_allowlist: ['**'],
    })
    const created = await causes.call('POST', PATH, wanted, { headers: rival })
    assert.equal(created.status, 201, created.text)
    const url = `/v1/git/webhooks/${String(created.body['id'])}`
    const trigger = aTrigger({
      name: 'own',
      team_path: 'rival',
      repositories: [old],
      pipeline: 'rival/build',
      scope: 'rival/staging',
    })
    assert.equal((await causes.call('POST', '/v1/triggers', trigger, { headers: rival })).status, 201)
    assert.deepEqual((await push(url, old, 1_000 + made)).started, ['service_trigger'])
    assert.deepEqual((await push(url, 'evil/new', 1_000 + made)).started, ['service_trigger'], 'its own trigger only')
    const runs = await db
      .selectFrom('runs')
      .select('pipeline_identifier')
      .where('repository', '=', 'evil/new')
      .execute()
    assert.deepEqual(runs, [{ pipeline_identifier: 'rival/build' }])
    assert.deepEqual((await send(old)).started, ['override'], 'the other source knows what it knew')
  })
})

describe('the health of the source', () => {
  const formerNames = async (id: string, headers: Record<string, string> = {}) => {
    const { status, body, text } = await causes.call('GET', `${PATH}/${id}/health`, undefined, { headers })
    assert.equal(status, 200, text)
    return body['former_names']
  }

  test('lists what still uses an old name until nothing does, each to who may see it', async () => {
    const { push: send, old, next, id, triggerId } = await connected({}, { visibility: 'shared' })
    await connected({ repositories: [old] })
    await send(old)
    assert.deepEqual(await formerNames(id), [])
    await causes.call('PUT', `/v1/overrides/${old}`, { pipeline: PIPELINE, scope: SCOPE })
    await send(next)
    const [listed, ...more] = Object(await formerNames(id))
    assert.deepEqual(more, [])
    assert.deepEqual([listed.former_name, listed.name], [old, next])
    assert.deepEqual(
      listed.triggers.map((trigger: { id: string }) => trigger.id),
      [triggerId],
      'a trigger of another source is not concerned',
    )
    assert.deepEqual(listed.overrides, [{ pipeline: PIPELINE }])
    const rivals = { pipeline: 'rival/build', scope: 'rival/staging' }
    const hidden = { name: `hidden-${made}`, team_path: 'rival', repositories: [old], ...rivals }
    const theirs = await causes.call('POST', '/v1/triggers', aTrigger(hidden), { headers: rival })
    assert.equal(theirs.status, 201, theirs.text)
    const ours = await causes.call('PUT', `/v1/overrides/${old}`, rivals, { headers: rival })
    assert.equal(ours.status, 200, ours.text)
    assert.deepEqual(await formerNames(id, viewer), [listed], 'what another team has stays hidden')
    const [all] = Object(await formerNames(id))
    assert.deepEqual([all.triggers.length, all.overrides.length], [2, 2])
    await causes.call('DELETE', `/v1/overrides/${old}`, undefined, { headers: rival })
    await causes.call('DELETE', `/v1/triggers/${String(theirs.body['id'])}`)
    await causes.call('PATCH', `/v1/triggers/${triggerId}`, { repositories: [next] })
    await causes.call('DELETE', `/v1/overrides/${old}`)
    assert.deepEqual(await formerNames(id), [])
  })
})
