import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { aPushPayload, signDelivery } from '../../../adapters/forges/github/testing.ts'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { aSource, deliver, PIPELINE, SCOPE, SECRET, TEAM } from '../sources/testing.ts'
import { openCausesOverGit } from './testing/open-causes-over-git.ts'

/** A run on request that names a repository: its commit is looked up over real Git, or it is refused. */

const { causes, db, repository, server, close } = await openCausesOverGit()
after(close)
const REFERENCE = `secret:${TEAM}/reader`
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'reader', value: 'bot:a read token' })
const source = await causes.call(
  'POST',
  '/v1/git-webhook-sources',
  aSource({ base_url: server.url, checkout_credential_ref: REFERENCE, repository_allowlist: ['acme/*'] }),
)
assert.equal(source.status, 201, source.text)

const widgets = { full_name: 'acme/widgets', clone_url: `${server.url}/repository.git` }
const tip = repository.commit({ 'a.txt': 'a' }, { ref: 'refs/heads/main' })
const tagged = repository.commit({ 'a.txt': 'b' }, { ref: 'refs/tags/v1' })
repository.commit({ 'a.txt': 'evil' }, { ref: 'refs/pull/7/head' })
const told = signDelivery(aPushPayload({ after: tip, repository: widgets }), {
  secret: SECRET,
  deliveryId: randomUUID(),
})
assert.ok([200, 202].includes((await deliver(causes, `/v1/git/webhooks/${String(source.body['id'])}`, told)).status))

const start = (body: object, pipeline = PIPELINE, headers = causes.admin) =>
  causes.call('POST', `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`, body, { headers })

async function runOf(id: unknown) {
  return await db
    .selectFrom('runs')
    .select(['repository', 'clone_url', 'ref', 'branch', 'commit_sha', 'checkout_credential_ref', 'note'])
    .where('id', '=', String(id))
    .executeTakeFirstOrThrow()
}

/** The field at fault, and why. */
async function refusal(body: object, pipeline = PIPELINE, headers = causes.admin): Promise<string> {
  const { count } = await db
    .selectFrom('runs')
    .select((is) => is.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  const answer = await start(body, pipeline, headers)
  const now = await db
    .selectFrom('runs')
    .select((is) => is.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(now.count, count, 'nothing was queued')
  assert.equal(answer.status, 400, answer.text)
  const [first] = Object.values(answer.body['errors'] ?? {})
  return `${Object(first)['field']}: ${Object(first)['message']}`
}

describe('a run on request that names a repository', () => {
  test('is of the commit at which the branch is now, with the credential of the source', async () => {
    const answer = await start({ repository: 'acme/widgets', ref: 'main' })
    assert.equal(answer.status, 202, answer.text)
    assert.equal(answer.body['commit_sha'], tip)
    assert.deepEqual(await runOf(answer.body['run_id']), {
      repository: 'acme/widgets',
      clone_url: widgets.clone_url,
      ref: 'refs/heads/main',
      branch: 'main',
      commit_sha: tip,
      checkout_credential_ref: REFERENCE,
      note: null,
    })
  })

  test('may name a tag in full, which has no branch', async () => {
    const answer = await start({ repository: 'acme/widgets', ref: 'refs/tags/v1' })
    const { commit_sha, branch, ref } = await runOf(answer.body['run_id'])
    assert.deepEqual([commit_sha, branch, ref], [tagged, null, 'refs/tags/v1'])
  })

  test('is refused with what to set where the commit is not known', async () => {
    assert.match(await refusal({ repository: 'acme/widgets', ref: 'gone' }), /^ref: .*has no refs\/heads\/gone/)
    assert.match(await refusal({ repository: 'acme/widgets' }), /^ref: Give ref with repository/)
    assert.match(await refusal({ ref: 'main' }), /^repository: Give repository with ref/)
    assert.match(
      await refusal({ repository: 'other/shop', ref: 'main' }),
      /^repository: .*give clone_url and commit_sha/,
    )
    assert.match(await refusal({ repository: 'widgets', ref: 'main' }), /^repository: .*owner\/name/)
  })

  test('runs no pull request, and no repository that hides behind the name of another', async () => {
    assert.match(
      await refusal({ repository: 'acme/widgets', ref: 'refs/pull/7/head' }),
      /^ref: .*neither a branch nor a tag/,
    )
    assert.match(await refusal({ repository: 'acme/../repository', ref: 'main' }), /^repository: .*owner\/name/)
    assert.match(await refusal({ repository: 'acme/..', ref: 'main' }), /^repository: .*owner\/name/)
  })

  test('reads no repository of a team whose source the caller may not see, or that does not speak for the pipeline', async () => {
    await anEnvironment(db, 'beta/app/test')
    await aPipeline(db, 'beta/app/build')
    const wish = { repository: 'acme/widgets', ref: 'main', scope: 'beta/app/test' }
    const editor = await aMember(db, 'eve', 'editor', 'beta')
    const read = server.authorizations.length
    const hidden = await refusal(wish, 'beta/app/build', editor.headers)
    const absent = await refusal({ ...wish, repository: 'acme/nothing' }, 'beta/app/build', editor.headers)
    assert.equal(hidden.replace('acme/widgets', ''), absent.replace('acme/nothing', ''))
    // A caller who sees the source gets the same answer: its credential is for its own team.
    assert.equal(await refusal(wish, 'beta/app/build'), hidden)
    assert.equal(server.authorizations.length, read, 'nobody asked the repository')
  })

  test('reads nothing through a source of the team above, for who may not see that source', async () => {
    await anEnvironment(db, `${TEAM}/below/test`)
    await aPipeline(db, `${TEAM}/below/build`)
    const wish = { repository: 'acme/widgets', ref: 'main', scope: `${TEAM}/below/test` }
    const editor = await aMember(db, 'ben', 'editor', `${TEAM}/below`)
    const read = server.authorizations.length
    const refused = await refusal(wish, `${TEAM}/below/build`, editor.headers)
    assert.match(refused, /^repository: No enabled webhook source that you may see/)
    assert.equal(server.authorizations.length, read, 'nobody asked the repository')
    assert.equal((await start(wish, `${TEAM}/below/build`)).status, 202, 'the source speaks for the team below')
  })

  test('needs the permission to write the pipeline: what it names runs with the secrets of the pipeline', async () => {
    const operator = await aMember(db, 'olga', 'operator', TEAM)
    const wish = { repository: 'acme/widgets', ref: 'main', scope: SCOPE }
    assert.equal((await start(wish, PIPELINE, operator.headers)).status, 403)
    assert.equal((await start({ scope: SCOPE }, PIPELINE, operator.headers)).status, 202)
  })
})

describe('a run on request that names no repository', () => {
  test('says that its tasks start in an empty folder', async () => {
    const answer = await start({})
    const note = 'No repository: tasks start in an empty folder.'
    assert.equal(answer.body['note'], note)
    assert.equal((await runOf(answer.body['run_id'])).note, note)
    const shown = await causes.call('GET', `/v1/runs/${String(answer.body['run_id'])}`)
    assert.equal(shown.body['note'], note)
  })

  test('of a pipeline without checkout says nothing, and may be of any ref', async () => {
    await aPipeline(
      db,
      `${TEAM}/bare`,
      'name: bare\ncheckout: false\nsteps: [{ name: a, tasks: [{ name: t, run: x }] }]\n',
    )
    const answer = await start({ ref: 'main' }, `${TEAM}/bare`)
    assert.deepEqual([answer.status, answer.body['note'], answer.body['commit_sha']], [202, null, null])
  })

  test('of a pipeline that only starts others has the commit for them, where one is found', async () => {
    const child = `name: call\nsteps: [{ name: a, tasks: [{ name: t, pipeline: ${PIPELINE} }] }]\n`
    await aPipeline(db, `${TEAM}/call`, child)
    const wish = { repository: 'acme/widgets', ref: 'main' }
    const found = await start(wish, `${TEAM}/call`)
    assert.equal((await runOf(found.body['run_id'])).commit_sha, tip, found.text)
    const unknown = await start({ ...wish, repository: 'other/shop' }, `${TEAM}/call`)
    assert.deepEqual([unknown.status, unknown.body['commit_sha']], [202, null], unknown.text)
  })
})
