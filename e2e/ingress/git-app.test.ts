import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type GithubForge, startGithub } from '../forge/github/index.ts'
import { type House, startHouse } from '../house/house.ts'
import { type RunnerProcess, startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { waitFor } from '../house/wait.ts'

/** The whole circle: a control plane, a runner and a provider in processes and servers of their own, over HTTP. */

const REPOSITORY = 'acme/shop'
const DOCUMENT = 'name: build\nsteps: [{ name: s, tasks: [{ name: t, run: cat word.txt }] }]\n'

interface Run {
  readonly run_id: string
  readonly commit_sha: string
}

describe('an app of a provider', () => {
  const ends = new AsyncDisposableStack()
  let forge: GithubForge
  let house: House
  let runner: RunnerProcess
  let installationId: string

  before(async () => {
    forge = await startGithub()
    ends.defer(() => forge.close())
    await forge.addRepository(REPOSITORY, { private: true, files: { 'word.txt': 'first\n' } })
    await forge.addRepository('acme/other', { private: true, files: { 'word.txt': 'other\n' } })
    forge.permit(REPOSITORY, 'grace', 'write')
    const ports = { port: await freePort(), runnerPort: await freePort() }
    house = await startHouse({ ports, env: { BASE_URL: `http://127.0.0.1:${ports.port}` } })
    ends.defer(() => house.stop())
    runner = await startRunner(house)
    ends.defer(() => runner.stop())
    await house.api.send('POST', '/v1/teams', { path: 'shop' })
    await house.api.send('POST', '/v1/teams', { path: 'strangers' })
    await house.api.send('POST', '/v1/teams/shop/environments', { name: 'test' })
    await house.api.send('POST', '/v1/pipelines', { team_path: 'shop', document: DOCUMENT })
  })
  after(() => ends.disposeAsync())

  const listRuns = () => house.api.get<readonly Run[]>('/v1/runs')
  const runOf = async (sha: string): Promise<Run> => {
    const runs = await waitFor('the run of the push', listRuns, (all) => all.some((run) => run.commit_sha === sha))
    const run = runs.find((each) => each.commit_sha === sha)
    assert.ok(run)
    return run
  }
  const outcomeOf = async (address: URL): Promise<string> => {
    const response = await fetch(address, { redirect: 'manual' })
    assert.equal(response.status, 302)
    return response.headers.get('location') ?? ''
  }

  test('is registered and installed by way of the browser', async () => {
    const started = await house.api.send<{ url: string; manifest: unknown }>(
      'POST',
      '/v1/git-apps/github/register/start',
      {
        organization: 'acme',
        team_path: 'shop',
        base_url: forge.url,
        callback_url: `${house.url}/v1/git-apps/github/register/callback`,
      },
    )
    const registered = await forge.confirmRegistration(started.url, started.manifest)
    assert.match(await outcomeOf(registered), /#\/system\/git-apps\?outcome=registered/)
    assert.match(await outcomeOf(registered), /\?error=state_mismatch/, 'a state counts once')

    const installing = await house.api.send<{ url: string }>('POST', '/v1/git-apps/github/install/start')
    const installed = await forge.confirmInstallation(installing.url, { account: 'acme', repositories: ['shop'] })
    installationId = installed.searchParams.get('installation_id') ?? ''
    assert.match(await outcomeOf(installed), /\?outcome=installed/)
    const refreshed = await house.api.send<{ repository_count: number }>(
      'POST',
      `/v1/git-apps/github/installations/${installationId}/refresh`,
    )
    assert.equal(refreshed.repository_count, 1)
  })

  test('starts a run by its own webhook, checks out with its own token, and tells the commit by a check', async () => {
    const app = await house.api.get<{ source_id: string; webhook_configured: boolean }>('/v1/git-apps/github')
    assert.equal(app.webhook_configured, true)
    await house.api.send('POST', '/v1/triggers', {
      name: 'pushes',
      team_path: 'shop',
      source_id: app.source_id,
      repositories: [REPOSITORY],
      events: ['push'],
      pipeline: 'shop/build',
      scope: 'shop/test',
    })
    const { after: sha } = await forge.push(REPOSITORY, { files: { 'word.txt': 'second\n' }, by: 'grace' })
    await forge.mailbox.settle()
    const run = await runOf(sha)
    const ended = await runEnd(house.api, run.run_id)
    assert.equal(ended.status, 'success', JSON.stringify(ended))
    const lines = await runLog(house.api, run.run_id)
    assert.ok(lines.some(({ line }) => line === 'second'))
    const checks = async () => [...(forge.world.byName.get(REPOSITORY)?.checkRuns.values() ?? [])]
    const [check] = await waitFor('the check', checks, (all) => all.some(({ conclusion }) => conclusion === 'success'))
    assert.equal(check?.externalId, run.run_id)
    assert.equal(lines.filter(({ line }) => /ghs_/.test(line)).length, 0, 'no token is in the log')
  })

  test('has branches for those who may see its source, of its installation alone', async () => {
    const branches = await house.api.get<readonly { name: string }[]>(`/v1/repositories/${REPOSITORY}/branches`)
    assert.deepEqual(
      branches.map(({ name }) => name),
      ['main'],
    )
    const other = await house.api.ask('GET', '/v1/repositories/acme/other/branches')
    const absent = await house.api.ask('GET', '/v1/repositories/acme/absent/branches')
    const [said, saidOfNone] = [other, absent].map(({ status, body }) => `${status} ${sentenceOf(body)}`)
    assert.equal(said?.replaceAll('other', 'absent'), saidOfNone)
  })

  test('serves no other team: what it may not use reads like what does not exist', async () => {
    const document = {
      name: 'theft',
      provider: 'github',
      team_path: 'strangers',
      base_url: forge.url,
      credential_ref: 'app:github',
      checkout_credential_ref: 'app:github',
      repository_allowlist: [REPOSITORY],
    }
    const refused = await house.api.ask('POST', '/v1/git-webhook-sources', document)
    const unknown = await house.api.ask('POST', '/v1/git-webhook-sources', {
      ...document,
      provider: 'gitea',
      credential_ref: 'app:gitea',
      checkout_credential_ref: 'app:gitea',
    })
    assert.deepEqual([refused.status, unknown.status], [400, 400])
    assert.equal(sentenceOf(unknown.body).replaceAll('gitea', 'github'), sentenceOf(refused.body))
  })

  test('that is suspended reads and tells nothing more, at once, and says so', async () => {
    const installation = forge.world.installations.get(Number(installationId))
    assert.ok(installation)
    forge.suspend(installation)
    await forge.mailbox.settle()
    const suspended = await house.api.get<{ status: string }>(`/v1/git-apps/github/installations/${installationId}`)
    assert.equal(suspended.status, 'suspended')
    const branches = await house.api.ask('GET', `/v1/repositories/${REPOSITORY}/branches`)
    assert.equal(branches.status, 502)
    assert.match(sentenceOf(branches.body), /suspended/)
    forge.assertQuiet()
  })
})

function sentenceOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'detail' in body ? String(body.detail) : ''
}
