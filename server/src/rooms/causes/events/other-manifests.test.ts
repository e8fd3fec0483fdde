import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { aPullRequestPayload, aPushPayload, signDelivery } from '../../../adapters/forges/github/testing.ts'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { aSource, deliver, PIPELINE, SCOPE, SECRET } from '../sources/testing.ts'
import { openCausesOverGit } from './testing/open-causes-over-git.ts'

/** A source of another team that lists the same repository and serves a manifest of its own. */

const { causes, db, repository, server, close } = await openCausesOverGit()
after(close)

const WIDGETS = { full_name: 'acme/widgets', clone_url: `${server.url}/repository.git` }
const READING = { base_url: server.url, read_repository: true, checkout_credential_ref: 'secret:acme/reader' }

/** The name of the other team begins like that of the first. */
const OTHER = 'acme/web2'
await aSecret(causes.kit, db, { teamPath: 'acme', name: 'reader', value: 'bot:a read token' })
await anEnvironment(db, `${OTHER}/staging`)
await aSecret(causes.kit, db, { teamPath: OTHER, name: 'hook', value: SECRET })
await aPipeline(db, `${OTHER}/build`)
const editor = await aMember(db, 'mallory', 'editor', OTHER)

const aManifest = (team: string, more = '') =>
  `version: 1\ntriggers:\n  - name: build\n    events: [push, pull_request, pull_request_comment]\n    pipeline: ${team}/build\n    scope: ${team}/staging\n${more}`

async function urlOf(document: Record<string, unknown>, headers: Record<string, string>): Promise<string> {
  const created = await causes.call('POST', '/v1/git-webhook-sources', document, { headers })
  assert.equal(created.status, 201, created.text)
  return `/v1/git/webhooks/${String(created.body['id'])}`
}
const own = await urlOf(aSource({ name: 'own', ...READING }), {})
const place = { team_path: OTHER, credential_ref: `secret:${OTHER}/hook` }
const other = await urlOf(aSource({ name: 'other', ...READING, ...place }), editor.headers)

async function send(url: string, event: string, payload: unknown): Promise<void> {
  const answer = await deliver(causes, url, signDelivery(payload, { secret: SECRET, event, deliveryId: randomUUID() }))
  assert.equal(answer.status, 202, answer.text)
  const job = causes.jobs.find(({ name }) => name === 'events.resolve')
  const pending = await db.selectFrom('trigger_events').select('id').where('resolution', '=', 'pending').execute()
  for (const { id } of pending) await job?.run({ eventId: id }, new AbortController().signal)
}

const MANIFEST = '.signalbox/triggers.yaml'
const runsOf = (commit: string) => db.selectFrom('runs').selectAll().where('commit_sha', '=', commit).execute()

describe('an entry of the same name in the manifest that a source of another team reads', () => {
  test('does not take away the run of a change', async () => {
    const commit = repository.commit({ [MANIFEST]: aManifest(OTHER) }, { ref: 'refs/heads/main' })
    const push = aPushPayload({ after: commit, repository: WIDGETS })
    await send(other, 'push', push)
    // The first team's source reads the same commit, but its manifest is not for the second team.
    const [run, ...more] = await runsOf(commit)
    assert.equal(run?.team_path, OTHER)
    assert.deepEqual(more, [])
    const [stolen, real] = [{ [MANIFEST]: aManifest(OTHER) }, { [MANIFEST]: aManifest('acme/web') }]
    const theirs = repository.commit(stolen, { ref: 'refs/heads/theirs' })
    const head = repository.commit(real, { ref: 'refs/heads/main' })
    const told = (sha: string) =>
      aPullRequestPayload({ repository: WIDGETS, head, base: sha, fork: true, number: 3, action: 'opened' })
    await send(other, 'pull_request', told(theirs))
    await send(own, 'pull_request', told(head))
    assert.deepEqual(new Set((await runsOf(head)).map((each) => each.team_path)), new Set([OTHER, 'acme/web']))
  })

  test('reaches neither a pipeline nor a scope of a team whose name begins alike, and cancels nothing there', async () => {
    const head = repository.commit({ [MANIFEST]: aManifest('acme/web') }, { ref: 'refs/heads/main' })
    const opened = aPullRequestPayload({ repository: WIDGETS, head, number: 4, updatedAt: '2026-11-21T10:00:00Z' })
    await send(own, 'pull_request', opened)
    const [run] = await runsOf(head)
    assert.deepEqual([run?.pipeline_identifier, run?.scope, run?.status], [PIPELINE, SCOPE, 'queued'])

    const commands = '    commands: [/cancel]\n    commenters: [mona]\n'
    for (const team of [OTHER, 'acme/web']) {
      const evil = repository.commit({ [MANIFEST]: aManifest(team, commands) }, { ref: 'refs/heads/evil' })
      await send(other, 'pull_request', aPullRequestPayload({ repository: WIDGETS, head: evil, number: 4 }))
      const at = '2026-11-21T12:00:00Z'
      const comment = {
        action: 'created',
        issue: { number: 4, title: 'x', labels: [], user: { login: 'mona', id: 1 }, pull_request: { merged_at: null } },
        comment: { id: team.length, body: '/cancel', user: { login: 'mona', id: 1 }, created_at: at, updated_at: at },
        repository: aPushPayload({ repository: WIDGETS })['repository'],
        sender: { login: 'mona', id: 1, type: 'User' },
      }
      await send(other, 'issue_comment', comment)
      assert.deepEqual(
        (await runsOf(evil)).filter((each) => each.team_path === 'acme/web'),
        [],
      )
    }
    assert.equal((await runsOf(head))[0]?.status, 'queued')
  })
})
