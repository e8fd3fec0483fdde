import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { OWN_PAGE, signIn } from '../house/browser.ts'
import { startHouse } from '../house/house.ts'
import { type Operation, readOperations } from '../house/open-api.ts'
import { createRawClient, type RawAnswer, type RawRequest } from '../house/raw-http.ts'
import { makeWorld } from '../house/world.ts'
import { judgeAnswer } from './judge.ts'
import { requestsTo, rightRequests } from './requests.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_721)
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 40)

const PASSWORD = 'a password of a browser'

// Nothing listens there: nobody signs in by it, and accounts are linked by their subjects all the same.
const provider = { id: 'github', name: 'Fuzz', issuer: 'http://127.0.0.1:9', client_id: 'signalbox' }
const env = { LOG_LEVEL: 'info', SIGN_IN_PROVIDERS: JSON.stringify([provider]) }
const house = await startHouse({ env })
const world = await makeWorld(house, 'acme')
const client = createRawClient(house.url)
after(async () => {
  client.close()
  await house.stop()
})

await world.admin.send('POST', '/v1/users', { login: 'signed-in', password: PASSWORD })
const browser = await signIn(house.url, 'signed-in', PASSWORD)
const callers = [
  { name: 'an administrator', headers: { authorization: `Bearer ${world.admin.token}` }, runs: RUNS },
  { name: 'a viewer of one team', headers: { authorization: `Bearer ${world.members.viewer.token}` }, runs: RUNS / 4 },
  { name: 'a browser', headers: { cookie: browser.cookie, ...OWN_PAGE }, runs: RUNS / 8 },
  { name: 'nobody', headers: {}, runs: RUNS / 8 },
]

const DELETED_IN_ORDER = [
  '/v1/auth',
  '/members',
  '/sessions',
  '/identities',
  '/v1/tokens',
  '/v1/grants',
  '/v1/triggers',
  '/v1/schedules',
  '/v1/external-triggers',
  '/v1/git-webhook-sources',
  '/installations',
  '/v1/git-apps',
  '/v1/runners/enrollments',
  '/v1/runners',
  '/v1/artifacts',
  '/v1/knowledge',
  '/v1/pipelines',
  '/v1/profiles',
  '/v1/secrets',
  '/environments',
  '/v1/service-accounts',
  '/v1/groups',
  '/v1/users',
  '/v1/teams',
]

/** Deleting routes come last, and the parts before the whole. */
const operations = (await readOperations(house.url)).sort((a, b) => rank(a) - rank(b))

function rank({ method, path }: Operation): number {
  return method === 'DELETE' ? DELETED_IN_ORDER.findIndex((part) => path.includes(part)) : -2
}

const firstMemory = memoryOf(house.pid)

describe(`every operation takes whatever comes (seed ${seed})`, () => {
  for (const operation of operations) {
    test(`${operation.method} ${operation.path}`, async () => {
      let succeeded = 0
      const ask = async (raw: RawRequest): Promise<RawAnswer> => {
        const answer = await client.send(raw)
        judgeAnswer(raw, answer, operation.statuses, world.planted)
        if (answer.status < 300) succeeded += 1
        return answer
      }
      for (const { headers, runs } of callers) {
        const property = fc.asyncProperty(requestsTo(operation, world, headers), async (raw) => void (await ask(raw)))
        await fc.assert(property, { seed, numRuns: Math.ceil(runs) })
      }
      if (operation.path.includes('/environments/') && operation.method !== 'DELETE') await unprotect()
      if (succeeded === 0 && !UNREACHABLE.has(`${operation.method} ${operation.path}`)) await succeed(operation, ask)
    })
  }
})

/** Shows that the walk gets behind the validation: a right request succeeds sooner or later. */
async function succeed(operation: Operation, ask: (raw: RawRequest) => Promise<RawAnswer>): Promise<void> {
  const seen = new Set<string>()
  for (const raw of fc.sample(rightRequests(operation, world, world.admin.token), { seed, numRuns: RUNS })) {
    const answer = await ask(raw)
    if (answer.status < 300) return
    seen.add(`${answer.status} ${answer.body.slice(0, 300)}`)
  }
  assert.fail(`never a 2xx:\n${[...seen].slice(0, 5).join('\n')}`)
}

/** Later requests use the scope. */
async function unprotect(): Promise<void> {
  const environment = { protected: false, allowed_subjects: [] }
  await world.admin.send('PATCH', `/v1/teams/${world.team.path}/environments/test`, environment)
}

/**
 * These routes need values that no schema tells. Examples: a signature, a secret, a password, a cookie, a path in an archive, a normalised
 * event, a house without an administrator, a version that is neither in use nor gone. Others need a Git provider, the
 * token of an attempt at work, or a browser that is sent to a provider and back.
 */
const UNREACHABLE = new Set([
  'GET /v1/sign-in/{provider}',
  'GET /v1/sign-in/{provider}/callback',
  'POST /v1/sign-in/{provider}/link',
  'DELETE /v1/users/{id}/identities/{identity_id}',
  'POST /v1/git/webhooks/{sourceID}',
  'POST /v1/git/events',
  'POST /v1/setup/administrator',
  'POST /v1/sessions',
  'DELETE /v1/sessions/current',
  'DELETE /v1/secrets/{id}/versions/{version}',
  'GET /v1/artifacts/{id}/files/content',
  'GET /v1/repositories/{repoOwner}/{repoName}/branches',
  'POST /v1/git-webhook-sources/{sourceID}/connections',
  'POST /v1/git-webhook-sources/{sourceID}/connections/check',
  'POST /v1/git-webhook-sources/{sourceID}/connections/disconnect',
  'POST /v1/external-triggers/{id}/fire/{secret}',
  'PUT /v1/git-apps/{provider}',
  'POST /v1/git-apps/{provider}/register/start',
  'GET /v1/git-apps/{provider}/register/form',
  'GET /v1/git-apps/{provider}/register/callback',
  'POST /v1/git-apps/{provider}/install/start',
  'GET /v1/git-apps/{provider}/install/callback',
  'POST /v1/git-apps/{provider}/installations',
  'GET /v1/git-apps/{provider}/installations/{installationID}',
  'DELETE /v1/git-apps/{provider}/installations/{installationID}',
  'PUT /v1/git-apps/{provider}/installations/{installationID}/teams',
  'POST /v1/git-apps/{provider}/doctor',
  'DELETE /v1/git-apps/{provider}',
  'POST /v1/git-apps/{provider}/installations/{installationID}/verify',
  'POST /v1/git-apps/{provider}/installations/{installationID}/refresh',
  'GET /v1/git-apps/{provider}/installations/{installationID}/repositories',
  'POST /v1/transfers/blobs',
  'PUT /v1/transfers/blobs/{id}/parts/{number}',
  'POST /v1/transfers/blobs/{id}/complete',
  'POST /v1/transfers/artifacts',
  'POST /v1/transfers/caches',
  'POST /v1/transfers/caches/lookup',
  'GET /v1/transfers/caches/{id}',
  'GET /v1/transfers/artifacts/{id}',
  // No run of the world has succeeded.
  'GET /v1/runs/{id}/last-success',
  'GET /v1/explain/changes',
  // What is planned must fit the route that it plans, and what is confirmed the plan.
  'POST /v1/plans',
  'POST /v1/plans/{id}/confirm',
  'POST /v1/plans/{id}/approve',
  'POST /v1/plans/{id}/refuse',
])

describe('after the walk', () => {
  test('the house is ready, as small as before, and nobody logged an error or a secret', async () => {
    for (const path of ['/livez', '/healthz']) {
      const answer = await client.send({ method: 'GET', path, headers: {}, body: undefined })
      assert.equal(answer.status, 200, answer.body)
    }
    const grown = memoryOf(house.pid) - firstMemory
    assert.ok(grown < 250, `resident memory grew by ${grown} MB`)
    const log = house.output()
    for (const secret of world.planted) assert.ok(!log.includes(secret), 'a secret is in the log')
    assert.deepEqual(
      log.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line)),
      [],
    )
  })
})

/** MB; 0 where the system does not tell. */
function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
