import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ROLE_NAMES } from '@signalbox/contracts/access'
import { SEARCH_KINDS, type SearchHit } from '@signalbox/contracts/search'
import fc from 'fast-check'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { aGrant, aMember, aToken, aUser } from './rooms/foundation/access/testing.ts'
import { anEnvironment } from './rooms/foundation/teams/testing.ts'
import { openTestHouse } from './testing/test-house.ts'

// GET /v1/search over all rooms: it finds what the lists show, and nothing else.

const { db, ask, make } = await openTestHouse()
const root = await aMember(db, 'root', 'administrator', '/')
const TEAMS = ['acme', 'acme/web', 'other'] as const
const DOCUMENT = 'name: build\nsteps:\n  - name: a\n    tasks:\n      - { name: b, run: echo hi }\n'
const post = (url: string, body: object): Promise<string> => make(root.token, 'POST', url, body)
const runs: string[] = []
for (const team of TEAMS) {
  await anEnvironment(db, `${team}/test`)
  const [pipeline, scope] = [`${team}/build`, `${team}/test`]
  await post('/v1/pipelines', { team_path: team, document: DOCUMENT })
  await post('/v1/secrets', { team_path: team, name: 'build-hook', value: 'the-value-of-hook' })
  await post('/v1/profiles', { team_path: team, name: 'build-host', executor: 'host' })
  const rule = { kind: 'guardrail', rule: 'run.scope != "x"', message: 'No.' }
  await post('/v1/knowledge', { team_path: team, name: 'build-rule', ...rule })
  await post('/v1/git-webhook-sources', {
    name: `build-source-${team.replace('/', '-')}`,
    provider: 'github',
    team_path: team,
    credential_ref: `secret:${team}/build-hook`,
    repository_allowlist: ['acme/*'],
  })
  const start = { pipeline, scope }
  const trigger = { repositories: ['acme/widgets'], events: ['push'], ...start }
  await post('/v1/triggers', { team_path: team, name: 'build-push', ...trigger })
  const timing = { schedule_kind: 'recurring', cron_expression: '@daily' }
  await post('/v1/schedules', { path: team, name: 'build-nightly', ...timing, ...start })
  await post('/v1/external-triggers', { team_path: team, name: 'build-deploy', ...start })
  await post('/v1/service-accounts', { team_path: team, name: 'build-robot' })
  await aRunner(db, { name: `build-box-${team.replace('/', '-')}`, teamPath: team, scopes: [`${team}/**`] })
  runs.push(await make(root.token, 'POST', `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`, { scope }))
}
await aUser(db, 'build-ada')
await post('/v1/groups', { name: 'build-leads' })

const find = async (token: string, query: string): Promise<SearchHit[]> => {
  const { status, text } = await ask(token, 'GET', `/v1/search?${query}`)
  assert.equal(status, 200, text)
  return JSON.parse(text).hits
}
const titles = async (token: string, query: string): Promise<string[]> =>
  (await find(token, query)).map(({ kind, title }) => `${kind} ${title}`)

const LISTS = {
  pipeline: '/v1/pipelines',
  team: '/v1/teams',
  schedule: '/v1/schedules',
  source: '/v1/git-webhook-sources',
  trigger: '/v1/triggers',
  external_trigger: '/v1/external-triggers',
  runner: '/v1/runners',
  secret: '/v1/secrets',
  profile: '/v1/profiles',
  knowledge: '/v1/knowledge',
  user: '/v1/users',
  group: '/v1/groups',
  service_account: '/v1/service-accounts',
} as const

describe('search', () => {
  test('finds a thing of each kind by a part of its name', async () => {
    for (const kind of SEARCH_KINDS) {
      if (kind === 'run') continue
      const query = kind === 'team' ? `q=web&kinds=team` : `q=build&kinds=${kind}`
      const hits = await find(root.token, query)
      assert.ok(hits.length > 0 && hits.every((hit) => hit.kind === kind), kind)
    }
  })

  test('the very name is first, then what begins with it; every word must occur', async () => {
    assert.deepEqual((await titles(root.token, 'q=ACME/web')).slice(0, 2), ['team acme/web', 'pipeline acme/web/build'])
    assert.deepEqual(await titles(root.token, 'q=web%20%20build&kinds=pipeline'), ['pipeline acme/web/build'])
    assert.deepEqual(await titles(root.token, 'q=web%20nothing'), [])
    assert.deepEqual(await titles(root.token, 'q=%20'), [])
    assert.deepEqual(await titles(root.token, 'q=%25&kinds=pipeline'), [], 'no pattern, but text')
    assert.deepEqual(await titles(root.token, "q='%3B--"), [])
  })

  test('of one team and those below it', async () => {
    assert.deepEqual(await titles(root.token, 'q=build&kinds=pipeline&teamId=acme'), [
      'pipeline acme/build',
      'pipeline acme/web/build',
    ])
    assert.deepEqual(await titles(root.token, 'q=build&kinds=user,group&teamId=acme'), [])
    assert.deepEqual(await titles(root.token, 'q=build&teamId=nowhere'), [])
    assert.equal((await find(root.token, 'q=build&limit=3')).length, 3)
  })

  test('runs by their id and by their commit', async () => {
    const [id = '', other = ''] = runs
    const sha = 'beef'.repeat(10)
    await db
      .updateTable('runs')
      .set({ repository: 'acme/shop', commit_sha: sha, branch: 'main' })
      .where('id', '=', other)
      .execute()
    assert.deepEqual(
      (await find(root.token, `q=${id.toUpperCase()}`)).map((hit) => [hit.id, hit.title, hit.where]),
      [[id, 'acme/build', 'acme']],
    )
    assert.ok((await find(root.token, `q=${id.slice(0, 13)}&kinds=run`)).some((hit) => hit.id === id))
    const byCommit = await find(root.token, 'q=beefbe')
    assert.deepEqual(
      byCommit.map((hit) => [hit.id, hit.detail]),
      [[other, 'queued, main, beefbeef']],
    )
    for (const none of ['bee', 'beeg', `${'f'.repeat(41)}`]) assert.deepEqual(await find(root.token, `q=${none}`), [])
  })

  test('refuses a kind that there is not', async () => {
    const { status, text } = await ask(root.token, 'GET', '/v1/search?q=a&kinds=pipeline,person')
    assert.equal(status, 400)
    assert.match(text, /kinds/)
    assert.equal((await ask(undefined, 'GET', '/v1/search?q=a')).status, 401)
  })
})

test('for random grants search finds exactly what the lists show', async () => {
  const grant = fc.record({ role: fc.constantFrom(...ROLE_NAMES.slice(0, 4)), team: fc.constantFrom(...TEAMS) })
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(grant, { maxLength: 3 }), async (grants) => {
      count += 1
      const distinct = new Map(grants.map((each) => [`${each.role} ${each.team}`, each]))
      // At once: a snapshot that is loaded in between would know the user without some of the grants for a moment.
      const id = await db.transaction().execute(async (tx) => {
        const made = await aUser(tx, `member-${count}`)
        for (const { role, team } of distinct.values()) await aGrant(tx, `user:${made}`, role, team)
        return made
      })
      const { token } = await aToken(db, { kind: 'user', id })
      for (const [kind, url] of Object.entries(LISTS)) {
        const word = kind === 'team' ? '' : 'build'
        const shown: { id: string; name?: string; login?: string; path?: string }[] = JSON.parse(
          (await ask(token, 'GET', `${url}?limit=500`)).text,
        )
        const listed = shown.filter(({ name, login }) => word === '' || `${name} ${login}`.includes(word))
        const query = kind === 'team' ? 'q=e' : `q=${word}`
        const hits = await find(token, `${query}&kinds=${kind}&limit=50`)
        assert.deepEqual(hits.map((hit) => hit.id).sort(), listed.map((one) => one.id).sort(), kind)
      }
      const visible: { run_id: string }[] = JSON.parse((await ask(token, 'GET', '/v1/runs?limit=500')).text)
      for (const run of runs) {
        const hits = await find(token, `q=${run}`)
        const expected = visible.some((one) => one.run_id === run) ? [run] : []
        assert.deepEqual(
          hits.map((hit) => hit.id),
          expected,
        )
        const shorter = await find(token, `q=${run.slice(0, 18)}&kinds=run`)
        assert.deepEqual(
          shorter.some((hit) => hit.id === run),
          expected.length > 0,
        )
      }
    }),
    { numRuns: 12 },
  )
})
