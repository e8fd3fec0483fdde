import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer, type Handler } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const INSTALLATION = {
  provider: 'github',
  installation_id: '41',
  account: 'acme',
  status: 'suspended',
  reason: 'The account suspended the installation.',
  repository_selection: 'selected',
  repository_count: 3,
  permissions: { contents: 'read' },
  missing_permissions: [{ permission: 'checks', access: 'write', feature: 'checks of runs' }],
  teams: [{ team_path: 'acme', repositories: ['acme/*'] }],
  html_url: null,
  last_verified_at: null,
  refreshed_at: null,
}
const REPOSITORY = { full_name: 'acme/shop', private: true, default_branch: 'main' }

const always =
  (body: unknown): Handler =>
  (_request, response) =>
    answer(response, 200, body)

describe('git-app installations', () => {
  test('a table with the state of each, and why', async () => {
    await using here = await stage(always([INSTALLATION]))
    const { out } = await here.run(['git-app', 'installations', '--provider', 'github', '--limit', '5'])
    assert.match(out, /^41\tacme\tsuspended\t3\tacme\t\tThe account suspended/m)
    assert.equal(here.api.seen[0]?.path, '/v1/git-apps/github/installations?limit=5')
  })

  test('installation shows what it lacks and who may use it; its id is encoded', async () => {
    await using here = await stage(always(INSTALLATION))
    const { out } = await here.run(['git-app', 'installation', 'group/sub'])
    assert.match(out, /^lacks\tchecks: write, checks of runs$/m)
    assert.match(out, /^team\tacme: acme\/\*$/m)
    assert.match(out, /^repositories\t3, selected$/m)
    assert.equal(here.api.seen[0]?.path, '/v1/git-apps/forge/installations/group%2Fsub')
  })

  test('add records an id; forget asks a person first', async () => {
    await using here = await stage(always(INSTALLATION))
    assert.match((await here.run(['git-app', 'add', '41'])).out, /^installation\t41$/m)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), { installation_id: '41' })
    assert.equal((await here.run(['git-app', 'forget', '41'], { types: 'no' })).code, 2)
    assert.equal(here.api.seen.length, 1)
    assert.match((await here.run(['git-app', 'forget', '41', '--yes'])).err, /it stays at the provider/)
    assert.equal(here.api.seen[1]?.method, 'DELETE')
  })

  test('verify ends with 7 where the provider gave no token', async () => {
    const verified = { installation_id: '41', ok: false, verified_at: '2026-11-28T08:00:00.000Z' }
    await using bad = await stage(always({ ...verified, status: 'removed', reason: 'Install the app again.' }))
    const { code, out } = await bad.run(['git-app', 'verify', '41'])
    assert.equal(code, 7)
    assert.match(out, /^works\tno$/m)
    assert.match(out, /^reason\tInstall the app again\.$/m)
    await using good = await stage(always({ ...verified, ok: true, status: 'active', reason: null }))
    assert.equal((await good.run(['git-app', 'verify', '41', '--json'])).code, 0)
  })

  test('refresh says what came and went, and what it cost', async () => {
    const done = { installation_id: '41', account: 'acme', repository_count: 3, added: 2, removed: 1, calls: 4 }
    await using here = await stage(always(done))
    const { out } = await here.run(['git-app', 'refresh', '41'])
    assert.match(out, /^repositories\t3: 2 added, 1 removed$/m)
    assert.match(out, /^calls\t4$/m)
  })
})

describe('git-app teams', () => {
  test('names teams, with their repositories where they may not use all', async () => {
    await using here = await stage(always(INSTALLATION))
    await here.run(['git-app', 'teams', '41', '-t', 'acme', '-t', 'acme/web=acme/shop,acme/web'])
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), {
      teams: [{ team_path: 'acme' }, { team_path: 'acme/web', repositories: ['acme/shop', 'acme/web'] }],
    })
    await here.run(['git-app', 'teams', '41', '--none'])
    assert.deepEqual(JSON.parse(here.api.seen[1]?.body ?? ''), { teams: [] })
  })

  test('changes nothing where teams are neither named nor denied, or both', async () => {
    await using here = await stage(always(INSTALLATION))
    assert.equal((await here.run(['git-app', 'teams', '41'])).code, 2)
    assert.equal((await here.run(['git-app', 'teams', '41', '--none', '-t', 'acme'])).code, 2)
    assert.equal(here.api.seen.length, 0)
  })
})

describe('git-app repositories', () => {
  test('of an installation, or of what a team can use', async () => {
    const connected = { ...REPOSITORY, provider: 'github', installation_id: '41', account: 'acme', status: 'active' }
    await using here = await stage(always([connected]))
    assert.match((await here.run(['git-app', 'repositories', '41'])).out, /^acme\/shop\tprivate\tmain$/m)
    const { out } = await here.run(['git-app', 'repositories', '--team', 'acme'])
    assert.match(out, /^acme\/shop\tprivate\tmain\t41\tactive$/m)
    assert.deepEqual(
      here.api.seen.map(({ path }) => path),
      [
        '/v1/git-apps/forge/installations/41/repositories?limit=50',
        '/v1/git-apps/forge/repositories?team_path=acme&limit=50',
      ],
    )
    assert.equal((await here.run(['git-app', 'repositories'])).code, 2)
    assert.equal((await here.run(['git-app', 'repositories', '41', '-t', 'acme'])).code, 2)
  })
})
