import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { aConnectedSource, deliver, PIPELINE, SCOPE, SECRET, TEAM } from '../sources/testing.ts'
import { openCausesOverGit } from './testing/open-causes-over-git.ts'

/** The runs of the latest deliveries, compared with the runs that an override would have started. */

const { causes, db, repository, server, close } = await openCausesOverGit()
after(close)
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'reader', value: 'bot:a read token' })
await anEnvironment(db, 'other/staging')
const LINT = `${TEAM}/lint`
await aPipeline(db, LINT)

const push = (name: string, commit: string) =>
  signPush({
    secret: SECRET,
    deliveryId: randomUUID(),
    after: commit,
    repository: { full_name: `acme/${name}`, clone_url: `${server.url}/repository.git` },
  })

async function preview(name: string, pipeline: string, headers: Record<string, string> = {}) {
  const wanted = { repo_owner: 'acme', repo_name: name, pipeline, scope: SCOPE }
  const { status, body, text } = await causes.call('POST', '/v1/overrides/preview', wanted, { headers })
  assert.equal(status, 200, text)
  const changes: unknown = body['changes']
  assert.ok(Array.isArray(changes))
  return { considered: body['deliveries_considered'], changes: changes.map(Object) }
}

describe('what an override would have changed', () => {
  test('is nothing where the same pipeline ran in the same scope, whichever rule started it', async () => {
    const { url } = await aConnectedSource(causes, { name: 'same' }, { name: 'same', repositories: ['acme/same'] })
    assert.equal((await deliver(causes, url, push('same', '1'.repeat(40)))).status, 202)
    assert.deepEqual(await preview('same', PIPELINE), { considered: 1, changes: [] })
    const { changes } = await preview('same', LINT)
    assert.deepEqual(changes[0].before, [{ layer: 'service_trigger', pipeline: PIPELINE, scope: SCOPE }])
    assert.deepEqual(changes[0].after, [{ layer: 'override', pipeline: LINT, scope: SCOPE }])
  })

  test('is held against what the manifest of the repository started', async () => {
    const manifest = `version: 1\ntriggers:\n  - {name: build, events: [push], pipeline: ${PIPELINE}, scope: ${SCOPE}}\n`
    const commit = repository.commit({ '.signalbox/triggers.yaml': manifest }, { ref: 'refs/heads/main' })
    const reading = { base_url: server.url, read_repository: true, checkout_credential_ref: `secret:${TEAM}/reader` }
    const { url } = await aConnectedSource(
      causes,
      { name: 'told', ...reading },
      { name: 'told', repositories: ['acme/none'] },
    )
    assert.equal((await deliver(causes, url, push('told', commit))).status, 202)
    const { id } = await db
      .selectFrom('trigger_events')
      .select('id')
      .where('resolution', '=', 'pending')
      .executeTakeFirstOrThrow()
    await causes.jobs.find(({ name }) => name === 'events.resolve')?.run({ eventId: id }, new AbortController().signal)
    assert.deepEqual(await preview('told', PIPELINE), { considered: 1, changes: [] })
    const { changes } = await preview('told', LINT)
    assert.deepEqual(changes[0].before, [{ layer: 'repository_manifest', pipeline: PIPELINE, scope: SCOPE }])
  })

  test('is nothing where the override would not decide about the source', async () => {
    await aPipeline(db, 'other/build')
    const { url } = await aConnectedSource(causes, { name: 'own' }, { name: 'own', repositories: ['acme/own'] })
    await deliver(causes, url, push('own', '2'.repeat(40)))
    assert.deepEqual(await preview('own', 'other/build'), { considered: 1, changes: [] })
  })

  test('is nothing of a delivery of which nothing was decided', async () => {
    const rate = { per_minute: 1 }
    const { url } = await aConnectedSource(
      causes,
      { name: 'slow', rate_limit: rate },
      { name: 'slow', repositories: ['acme/slow'] },
    )
    await deliver(causes, url, push('slow', '3'.repeat(40)))
    while ((await deliver(causes, url, push('slow', randomUUID().replaceAll('-', '').padEnd(40, '4')))).status !== 429);
    const { considered, changes } = await preview('slow', LINT)
    assert.ok(Number(considered) > changes.length, `${considered} ${changes.length}`)
    for (const change of changes) assert.equal(change.before.length, 1)
  })

  test('names no rule that the caller may not see', async () => {
    const { url } = await aConnectedSource(
      causes,
      { name: 'shown', visibility: 'shared' },
      { name: 'shown', repositories: ['acme/shown'], branches: ['none'] },
    )
    await aPipeline(db, 'other/hidden')
    const trigger = {
      name: 'hidden',
      team_path: 'other',
      repositories: ['acme/shown'],
      events: ['push'],
      pipeline: 'other/hidden',
      scope: SCOPE,
    }
    const written = await causes.call('POST', '/v1/triggers', trigger)
    assert.equal(written.status, 201, written.text)
    assert.equal((await deliver(causes, url, push('shown', '5'.repeat(40)))).status, 202)
    const owner = await aMember(db, 'owner', 'owner', TEAM)
    const { changes } = await preview('shown', LINT, owner.headers)
    assert.deepEqual(changes[0].before, [])
    assert.equal((await preview('shown', LINT)).changes[0].before.length, 1)
  })
})
