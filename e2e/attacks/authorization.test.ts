import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { rightRequests } from '../fuzz/requests.ts'
import { startHouse } from '../house/house.ts'
import { type Operation, readOperations } from '../house/open-api.ts'
import { createRawClient, type RawAnswer, type RawRequest } from '../house/raw-http.ts'
import { makeWorld, ROLE_NAMES, type World } from '../house/world.ts'

const house = await startHouse()
const north = await makeWorld(house, 'north')
const south = await makeWorld(house, 'south')
const override = { pipeline: 'north/build', scope: 'north/test' }
for (const name of ['shop', 'spare']) await north.admin.send('PUT', `/v1/overrides/acme/${name}`, override)
const client = createRawClient(house.url)
after(async () => {
  client.close()
  await house.stop()
})

const operations = (await readOperations(house.url)).filter((operation) => !operation.isPublic)
const table = await north.admin.get<{ roles: { name: string; permissions: string[] }[] }>('/v1/auth/permissions')
const roles = new Map(table.roles.map(({ name, permissions }) => [name, permissions]))

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`
const show = (raw: RawRequest, answer: RawAnswer): string =>
  `${raw.method} ${raw.path} ${raw.body?.toString().slice(0, 300) ?? ''} -> ${answer.status} ${answer.body.slice(0, 400)}`

/** Valid requests to the things of `world`, with `token`. */
function requestsIn(world: World, operation: Operation, token: string, count: number): RawRequest[] {
  return fc.sample(rightRequests(operation, world, token), { seed: 7, numRuns: count })
}

describe('without a token', () => {
  for (const operation of operations) {
    test(`${nameOf(operation)} answers 401 and does nothing`, async () => {
      for (const raw of requestsIn(north, operation, 'none', 2)) {
        const { authorization: _, ...headers } = raw.headers
        const answer = await client.send({ ...raw, headers })
        assert.equal(answer.status, 401, show(raw, answer))
        assert.equal(answer.headers['www-authenticate'], 'Bearer')
      }
    })
  }
})

/** Users and groups belong to the platform: owners choose from all of them whom they grant something. */
const OF_THE_PLATFORM = /^\/v1\/(users|groups)/

const isDirectory = ({ method, path }: Operation): boolean => method === 'GET' && OF_THE_PLATFORM.test(path)

/** A repository belongs to no team: an override that the caller may not see reads as an absent one, {}. */
const ofRepository = ({ path }: Operation): boolean => path.startsWith('/v1/overrides/{repoOwner}')

describe("the owner of another team, with this team's ids", () => {
  const traces = [...north.ids.values()].flat().filter((id) => id.length > 20)
  const ofTeams = operations.filter((one) => one.permission !== undefined && !isDirectory(one))
  for (const operation of ofTeams) {
    test(`${nameOf(operation)} shows and changes nothing`, async () => {
      for (const raw of requestsIn(north, operation, south.members.owner.token, 3)) {
        const answer = await client.send(raw)
        const shown = show(raw, answer)
        if (operation.path.includes('{') || operation.method !== 'GET') {
          const unseen = ofRepository(operation) && operation.method !== 'DELETE' ? [200] : []
          assert.ok([400, 403, 404, ...unseen].includes(answer.status), shown)
        }
        for (const trace of traces) assert.ok(!raw.path.includes(trace) ? !answer.body.includes(trace) : true, shown)
        if (operation.method === 'GET' && answer.status < 300) {
          assert.ok(!answer.body.includes('north'), shown)
        }
      }
    })
  }

  test('everything of the team is still there', async () => {
    for (const path of [
      '/v1/teams/north',
      `/v1/git-webhook-sources/${north.team.sourceId}`,
      '/v1/pipelines/north%2Fspare',
    ]) {
      assert.equal((await north.admin.ask('GET', path)).status, 200, path)
    }
    for (const name of ['shop', 'spare']) {
      const stored = await north.admin.get<{ pipeline: string }>(`/v1/overrides/acme/${name}`)
      assert.equal(stored.pipeline, override.pipeline)
    }
  })
})

/** Everybody sees themselves and their own tokens. */
function shownOf({ path }: Operation, role: string, answer: RawAnswer): string {
  if (path !== '/v1/users' && path !== '/v1/tokens') return answer.body
  const entries = JSON.parse(answer.body) as { name: string }[]
  return JSON.stringify(entries.filter(({ name }) => name !== role && name !== `north-${role}`))
}

describe('each role in its own team', () => {
  // Deleting routes are tried from the weakest role up, and each thing only once.
  const ordered = operations.filter((one) => one.permission !== undefined && one.method !== 'DELETE')
  for (const operation of ordered) {
    test(`${nameOf(operation)} is for those who hold ${operation.permission}`, async () => {
      for (const role of ROLE_NAMES) {
        const holds = roles.get(role)?.includes(operation.permission ?? '') === true
        for (const raw of requestsIn(north, operation, north.members[role].token, 3)) {
          const answer = await client.send(raw)
          if (holds) continue
          const list = operation.method === 'GET' && !operation.path.includes('{')
          if (list && answer.status === 200) assert.equal(shownOf(operation, role, answer), '[]', show(raw, answer))
          else assert.ok([400, 403, 404].includes(answer.status), `${role}: ${show(raw, answer)}`)
        }
      }
    })
  }
  for (const operation of operations.filter((one) => one.permission !== undefined && one.method === 'DELETE')) {
    test(`${nameOf(operation)} is not for a viewer, an operator`, async () => {
      for (const role of ['viewer', 'operator'] as const) {
        for (const raw of requestsIn(north, operation, north.members[role].token, 4)) {
          const answer = await client.send(raw)
          assert.ok([403, 404].includes(answer.status), `${role}: ${show(raw, answer)}`)
        }
      }
    })
  }
})

describe('each role reads and writes what the table gives it', () => {
  const cases: readonly (readonly [(typeof ROLE_NAMES)[number], string, string, unknown, number])[] = [
    ['viewer', 'GET', '/v1/runs', undefined, 200],
    ['viewer', 'GET', '/v1/pipelines/north%2Fbuild', undefined, 200],
    ['viewer', 'POST', '/v1/pipelines/north%2Fbuild/runs', { scope: 'north/test' }, 403],
    ['operator', 'POST', '/v1/pipelines/north%2Fbuild/runs', { scope: 'north/test' }, 202],
    ['operator', 'POST', '/v1/profiles', { team_path: 'north', name: 'p', executor: 'host' }, 403],
    ['editor', 'POST', '/v1/profiles', { team_path: 'north', name: 'p', executor: 'host' }, 201],
    ['editor', 'POST', '/v1/secrets', { team_path: 'north', name: 's', value: 'value-of-s' }, 403],
    ['owner', 'POST', '/v1/secrets', { team_path: 'north', name: 's', value: 'value-of-s' }, 201],
    ['owner', 'POST', '/v1/teams', { path: 'north/below' }, 201],
    ['owner', 'POST', '/v1/teams', { path: 'elsewhere' }, 403],
    ['owner', 'POST', '/v1/users', { login: 'someone' }, 403],
  ]
  for (const [role, method, path, body, status] of cases) {
    test(`${role}: ${method} ${path} is ${status}`, async () => {
      const answer = await north.members[role].ask(method, path, body)
      assert.equal(answer.status, status, JSON.stringify(answer.body))
    })
  }

  test('nobody gives more than they hold, also not to themselves', async () => {
    const me = await north.members.owner.get<{ id: string }>('/v1/auth/me')
    for (const grant of [
      { subject: `user:${me.id}`, role: 'administrator', team_path: '/' },
      { subject: `user:${me.id}`, role: 'owner', team_path: 'south' },
      { subject: `user:${me.id}`, role: 'viewer', team_path: '/' },
    ]) {
      const answer = await north.members.owner.ask('POST', '/v1/grants', grant)
      assert.ok([403, 404].includes(answer.status), JSON.stringify(answer.body))
    }
  })

  test('a pipeline does not borrow the secret of another team', async () => {
    const document = `name: thief\nsecrets: { S: south/npm }\nsteps:\n  - name: a\n    tasks:\n      - { name: b, run: echo }\n`
    const answer = await north.members.owner.ask('POST', '/v1/pipelines', { team_path: 'north', document })
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
    assert.match(JSON.stringify(answer.body), /secrets\.S/)
  })

  test('a source does not verify with the secret of another team', async () => {
    const source = {
      name: 'thief',
      provider: 'github',
      team_path: 'north',
      credential_ref: 'secret:south/webhook',
      repository_allowlist: ['acme/*'],
    }
    const answer = await north.members.owner.ask('POST', '/v1/git-webhook-sources', source)
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
  })
})
