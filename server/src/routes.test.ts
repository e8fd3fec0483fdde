import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ROLE_NAMES } from '@signalbox/contracts/access'
import { signPush } from './adapters/forges/github/testing.ts'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { ROLES } from './rooms/foundation/access/rules/permissions.ts'
import { aMember, aMemberOf, aUser } from './rooms/foundation/access/testing.ts'
import { aSession } from './rooms/foundation/sessions/testing.ts'
import { anEnvironment, aTeam } from './rooms/foundation/teams/testing.ts'
import { type Answer, type Method, openTestHouse } from './testing/test-house.ts'

// Every route, with every role: who lacks the permission changes and sees nothing, the weakest role that holds it is let
// through, and a write leaves exactly one audit record.

const {
  db,
  http,
  ask: askWith,
} = await openTestHouse({
  env: { SIGN_IN_PROVIDERS: '[{"id":"sso","name":"SSO","issuer":"https://sso.example.com","client_id":"signalbox"}]' },
})

await anEnvironment(db, 'acme/test')
await aTeam(db, 'other')
type Member = Awaited<ReturnType<typeof aMember>>
const members = new Map<string, Member>([['stranger', await aMember(db, 'stranger', 'owner', 'other')]])
for (const role of ROLE_NAMES) members.set(role, await aMember(db, role, role, role === 'administrator' ? '/' : 'acme'))

const ask = (role: string, ...request: [method: Method, url: string, payload?: object]): Promise<Answer> =>
  askWith(members.get(role)?.token, ...request)

interface Operation {
  readonly description?: string
}
const document: { paths: Record<string, Record<string, Operation>> } = (
  await http.app.inject('/v1/openapi.json')
).json()
/** The permission of each authorized route, by `<METHOD> <path>`. */
const permissions = new Map<string, string>(
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { description = '' }]) => {
      const permission = /needs the permission `([a-z_.]+)`/.exec(description)?.[1]
      return permission === undefined ? [] : [[`${method.toUpperCase()} ${path}`, permission] as const]
    }),
  ),
)

/** Ids of what was made, by the names that the requests below give them. */
const made = new Map<string, string>()
/** `{source}` becomes the id of what was remembered as source. */
function fill<T>(template: T): T {
  const text = JSON.stringify(template).replace(/\{(\w+)\}/g, (whole, name: string) => made.get(name) ?? whole)
  return JSON.parse(text)
}

interface Write {
  readonly route: string
  readonly url?: string
  readonly body?: object
  /** The action of its audit record; undefined: nothing is changed. */
  readonly records?: string
  /** Held by whoever may, beside the permission of the route. */
  readonly also?: string
  /** Where the permission must be held on the platform. */
  readonly onPlatform?: boolean
  /** Remembers the id of the answer. */
  readonly as?: string
}

const PIPELINE = 'name: NAME\nsteps:\n  - name: a\n    tasks:\n      - { name: b, run: echo hi }\n'
const documentOf = (name: string): string => PIPELINE.replace('NAME', name)
const guardrail = { team_path: 'acme', name: 'rule', kind: 'guardrail', rule: 'run.scope != "x"', message: 'No.' }
const trigger = {
  team_path: 'acme',
  name: 'on-push',
  repositories: ['acme/widgets'],
  events: ['push'],
  pipeline: 'acme/build',
  scope: 'acme/test',
}
const schedule = {
  path: 'acme',
  name: 'nightly',
  pipeline: 'acme/build',
  schedule_kind: 'recurring',
  cron_expression: '30 2 * * *',
  scope: 'acme/test',
}
const externalTrigger = { team_path: 'acme', name: 'deploy', pipeline: 'acme/build', scope: 'acme/test' }
const source = {
  name: 'acme-github',
  provider: 'github',
  team_path: 'acme',
  credential_ref: 'secret:acme/hook',
  repository_allowlist: ['acme/*'],
}

made.set('team', await aTeam(db, 'acme'))
made.set('grantee', await aUser(db, 'grantee'))
made.set('signedIn', await aUser(db, 'signed-in'))
await aSession(db, { userId: made.get('signedIn') ?? '' })
made.set('runner', (await aRunner(db, { name: 'box', teamPath: 'acme', scopes: ['acme/**'] })).id)

/** In this order: what one makes the next ones use. */
const WRITES: readonly Write[] = [
  { route: 'POST /v1/teams', body: { path: 'acme/below' }, records: 'team.created' },
  { route: 'POST /v1/teams', body: { path: 'root' }, records: 'team.created', onPlatform: true },
  { route: 'PATCH /v1/teams/{id}', url: '/v1/teams/acme%2Fbelow', body: { name: 'B' }, records: 'team.updated' },
  {
    route: 'POST /v1/teams/{id}/environments',
    url: '/v1/teams/acme/environments',
    body: { name: 'stage' },
    records: 'environment.created',
  },
  {
    route: 'POST /v1/teams/{id}/environments',
    url: '/v1/teams/acme/environments',
    body: { name: 'prod', protected: true },
    records: 'environment.created',
    also: 'grant.write',
  },
  {
    route: 'PATCH /v1/teams/{id}/environments/{name}',
    url: '/v1/teams/acme/environments/stage',
    body: { protected: false },
    records: 'environment.updated',
    also: 'grant.write',
  },
  {
    route: 'DELETE /v1/teams/{id}/environments/{name}',
    url: '/v1/teams/acme/environments/stage',
    records: 'environment.deleted',
  },
  {
    route: 'DELETE /v1/teams/{id}/environments/{name}',
    url: '/v1/teams/acme/environments/prod',
    records: 'environment.deleted',
    also: 'grant.write',
  },
  { route: 'POST /v1/runners/verdicts', body: { scope: 'acme/test' } },
  { route: 'DELETE /v1/teams/{id}', url: '/v1/teams/acme%2Fbelow', records: 'team.deleted' },
  {
    route: 'POST /v1/secrets',
    body: { team_path: 'acme', name: 'hook', value: 'the-value-of-hook' },
    records: 'secret.created',
    as: 'secret',
  },
  {
    route: 'POST /v1/secrets',
    body: { team_path: 'acme', name: 'spare', value: 'the-value-of-spare' },
    records: 'secret.created',
    as: 'spareSecret',
  },
  {
    route: 'PUT /v1/secrets/{id}',
    url: '/v1/secrets/{spareSecret}',
    body: { value: 'another-value', keep_previous: true },
    records: 'secret.updated',
  },
  {
    route: 'DELETE /v1/secrets/{id}/versions/{version}',
    url: '/v1/secrets/{spareSecret}/versions/1',
    records: 'secret.version_retired',
  },
  { route: 'DELETE /v1/secrets/{id}', url: '/v1/secrets/{spareSecret}', records: 'secret.deleted' },
  {
    route: 'POST /v1/profiles',
    body: { team_path: 'acme', name: 'host', executor: 'host' },
    records: 'profile.created',
    as: 'profile',
  },
  {
    route: 'PUT /v1/profiles/{id}',
    url: '/v1/profiles/{profile}',
    body: { executor: 'host', labels: ['gpu'] },
    records: 'profile.updated',
  },
  {
    route: 'POST /v1/pipelines',
    body: { team_path: 'acme', document: documentOf('build') },
    records: 'pipeline.created',
    as: 'pipeline',
  },
  {
    route: 'POST /v1/pipelines',
    body: { team_path: 'acme', document: documentOf('spare') },
    records: 'pipeline.created',
    as: 'sparePipeline',
  },
  {
    route: 'PUT /v1/pipelines/{id}',
    url: '/v1/pipelines/acme%2Fbuild',
    body: { document: documentOf('build').replace('hi', 'ho') },
    records: 'pipeline.updated',
  },
  { route: 'DELETE /v1/pipelines/{id}', url: '/v1/pipelines/acme%2Fspare', records: 'pipeline.deleted' },
  { route: 'POST /v1/knowledge', body: guardrail, records: 'knowledge.created', as: 'item' },
  {
    route: 'POST /v1/knowledge',
    body: { ...guardrail, name: 'policy', kind: 'policy' },
    records: 'knowledge.created',
    also: 'policy.write',
    as: 'policy',
  },
  { route: 'POST /v1/knowledge/validate', body: { ...guardrail, name: 'new' } },
  {
    route: 'PUT /v1/knowledge/{id}',
    url: '/v1/knowledge/{item}',
    body: { ...guardrail, message: 'Never.' },
    records: 'knowledge.updated',
  },
  {
    route: 'POST /v1/emergencies',
    body: { scope: 'acme/test', reason: 'Smoke.' },
    records: 'emergency.declared',
    as: 'emergency',
  },
  {
    route: 'POST /v1/emergencies/{id}/lift',
    url: '/v1/emergencies/{emergency}/lift',
    body: {},
    records: 'emergency.lifted',
  },
  {
    route: 'POST /v1/runners/enrollments',
    body: { team_path: 'acme', scopes: ['acme/**'] },
    records: 'runner_enrollment.created',
    as: 'enrollment',
  },
  { route: 'PATCH /v1/runners/{id}', url: '/v1/runners/{runner}', body: { enabled: false }, records: 'runner.updated' },
  {
    route: 'POST /v1/pipelines/{id}/runs',
    url: '/v1/pipelines/acme%2Fbuild/runs',
    body: { scope: 'acme/test' },
    records: 'run.started',
    as: 'run',
  },
  {
    route: 'POST /v1/pipelines/{id}/runs',
    url: '/v1/pipelines/acme%2Fbuild/runs',
    body: { scope: 'acme/test', clone_url: 'https://git.example/a.git', commit_sha: 'a'.repeat(40) },
    records: 'run.started',
    also: 'pipeline.write',
    as: 'otherRun',
  },
  {
    route: 'POST /v1/knowledge/{id}/test',
    url: '/v1/knowledge/{item}/test',
    body: { run: { pipeline: 'acme/build', scope: 'acme/test' } },
  },
  { route: 'POST /v1/knowledge/trials', body: { draft: guardrail } },
  { route: 'POST /v1/runs/{id}/cancel', url: '/v1/runs/{run}/cancel', body: {}, records: 'run.canceled' },
  { route: 'POST /v1/runs/{id}/rerun', url: '/v1/runs/{run}/rerun', body: {}, records: 'run.rerun' },
  {
    route: 'POST /v1/runs/{id}/logs/scrub',
    url: '/v1/runs/{run}/logs/scrub',
    body: { values: ['not-to-be-seen'] },
    records: 'log.scrubbed',
  },
  { route: 'PUT /v1/storage', body: { team_path: 'acme', artifact_quota_bytes: 1000 }, records: 'storage.updated' },
  { route: 'POST /v1/git-webhook-sources', body: source, records: 'webhook_source.created', as: 'source' },
  {
    route: 'PUT /v1/git-webhook-sources/{sourceID}',
    url: '/v1/git-webhook-sources/{source}',
    body: { ...source, rate_limit: { per_minute: 100 } },
    records: 'webhook_source.updated',
  },
  {
    route: 'PATCH /v1/git-webhook-sources/{sourceID}',
    url: '/v1/git-webhook-sources/{source}',
    body: { rate_limit: { per_minute: 200 } },
    records: 'webhook_source.updated',
  },
  { route: 'POST /v1/triggers', body: trigger, records: 'trigger.created', as: 'trigger' },
  {
    route: 'PUT /v1/triggers/{id}',
    url: '/v1/triggers/{trigger}',
    body: { ...trigger, branches: ['main'] },
    records: 'trigger.updated',
  },
  {
    route: 'PATCH /v1/triggers/{id}',
    url: '/v1/triggers/{trigger}',
    body: { branches: [] },
    records: 'trigger.updated',
  },
  { route: 'POST /v1/schedules', body: schedule, records: 'schedule.created', as: 'schedule' },
  {
    route: 'PUT /v1/schedules/{id}',
    url: '/v1/schedules/{schedule}',
    body: { ...schedule, cron_expression: '0 3 * * *' },
    records: 'schedule.updated',
  },
  {
    route: 'PATCH /v1/schedules/{id}',
    url: '/v1/schedules/acme%2Fnightly',
    body: { timezone: 'Europe/Berlin' },
    records: 'schedule.updated',
  },
  { route: 'POST /v1/schedules/{id}/disable', url: '/v1/schedules/{schedule}/disable', records: 'schedule.disabled' },
  { route: 'POST /v1/schedules/{id}/enable', url: '/v1/schedules/{schedule}/enable', records: 'schedule.enabled' },
  { route: 'POST /v1/schedules/{id}/run', url: '/v1/schedules/{schedule}/run', records: 'schedule.run' },
  { route: 'POST /v1/external-triggers', body: externalTrigger, records: 'external_trigger.created', as: 'external' },
  {
    route: 'PUT /v1/external-triggers/{id}',
    url: '/v1/external-triggers/{external}',
    body: { ...externalTrigger, rate_limit: { per_minute: 5 } },
    records: 'external_trigger.updated',
  },
  {
    route: 'PATCH /v1/external-triggers/{id}',
    url: '/v1/external-triggers/acme%2Fdeploy',
    body: { rate_limit: { per_minute: 6 } },
    records: 'external_trigger.updated',
  },
  {
    route: 'POST /v1/external-triggers/{id}/run',
    url: '/v1/external-triggers/{external}/run',
    records: 'external_trigger.fired',
  },
  {
    route: 'POST /v1/external-triggers/{id}/rotate',
    url: '/v1/external-triggers/{external}/rotate',
    records: 'external_trigger.rotated',
  },
  {
    route: 'POST /v1/schedules/{id}/backfill',
    url: '/v1/schedules/{schedule}/backfill',
    body: { from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z' },
    records: 'schedule.backfill_created',
    as: 'backfill',
  },
  {
    route: 'POST /v1/schedules/{id}/backfills/{backfill_id}/cancel',
    url: '/v1/schedules/{schedule}/backfills/{backfill}/cancel',
    records: 'schedule.backfill_canceled',
  },
  {
    route: 'POST /v1/triggers/simulate',
    body: { trigger: { ...trigger, name: 'new' }, source_id: '{source}' },
    also: 'delivery.read',
  },
  {
    route: 'POST /v1/git-webhook-sources/{sourceID}/deliveries/{deliveryID}/replay',
    url: '/v1/git-webhook-sources/{source}/deliveries/{delivery}/replay',
    body: {},
    records: 'delivery.replayed',
  },
  {
    route: 'POST /v1/git-webhook-sources/{sourceID}/deliveries/replay',
    url: '/v1/git-webhook-sources/{source}/deliveries/replay',
    body: { delivery_ids: ['{delivery}'] },
    records: 'delivery.replayed',
  },
  {
    route: 'POST /v1/git-webhook-sources/{sourceID}/recoveries',
    url: '/v1/git-webhook-sources/{source}/recoveries',
    records: 'recovery.requested',
  },
  {
    route: 'PUT /v1/overrides/{repoOwner}/{repoName}',
    url: '/v1/overrides/acme/widgets',
    body: { pipeline: 'acme/build', scope: 'acme/test' },
    records: 'override.created',
  },
  {
    route: 'POST /v1/overrides/preview',
    body: { repo_owner: 'acme', repo_name: 'gadgets', pipeline: 'acme/build', scope: 'acme/test' },
  },
  {
    route: 'POST /v1/service-accounts',
    body: { team_path: 'acme', name: 'robot' },
    records: 'service_account.created',
    as: 'account',
  },
  {
    route: 'PATCH /v1/service-accounts/{id}',
    url: '/v1/service-accounts/{account}',
    body: { disabled: true },
    records: 'service_account.updated',
  },
  {
    route: 'POST /v1/tokens',
    body: { name: 'robots', service_account_id: '{account}' },
    records: 'token.created',
    as: 'token',
  },
  {
    route: 'POST /v1/grants',
    body: { subject: 'user:{grantee}', role: 'viewer', team_path: 'acme' },
    records: 'grant.created',
    as: 'grant',
  },
  { route: 'POST /v1/users', body: { login: 'new' }, records: 'user.created', onPlatform: true, as: 'user' },
  {
    route: 'PATCH /v1/users/{id}',
    url: '/v1/users/{user}',
    body: { name: 'New' },
    records: 'user.updated',
    onPlatform: true,
  },
  {
    route: 'POST /v1/users/{id}/identities',
    url: '/v1/users/{user}/identities',
    body: { provider: 'sso', subject: 'f1e0' },
    records: 'user.identity_linked',
    onPlatform: true,
  },
  { route: 'POST /v1/groups', body: { name: 'crew' }, records: 'group.created', onPlatform: true, as: 'group' },
  {
    route: 'PUT /v1/groups/{id}/members/{user_id}',
    url: '/v1/groups/{group}/members/{user}',
    records: 'group.member_added',
    onPlatform: true,
  },
]

/** At the end: what takes away. */
const DELETES: readonly Write[] = [
  {
    route: 'DELETE /v1/groups/{id}/members/{user_id}',
    url: '/v1/groups/{group}/members/{user}',
    records: 'group.member_removed',
    onPlatform: true,
  },
  { route: 'DELETE /v1/groups/{id}', url: '/v1/groups/{group}', records: 'group.deleted', onPlatform: true },
  {
    route: 'DELETE /v1/users/{id}/sessions',
    url: '/v1/users/{signedIn}/sessions',
    records: 'user.sessions_revoked',
    onPlatform: true,
  },
  { route: 'DELETE /v1/users/{id}', url: '/v1/users/{user}', records: 'user.deleted', onPlatform: true },
  { route: 'DELETE /v1/grants/{id}', url: '/v1/grants/{grant}', records: 'grant.deleted' },
  { route: 'DELETE /v1/tokens/{id}', url: '/v1/tokens/{token}', records: 'token.revoked' },
  {
    route: 'DELETE /v1/service-accounts/{id}',
    url: '/v1/service-accounts/{account}',
    records: 'service_account.deleted',
  },
  {
    route: 'DELETE /v1/overrides/{repoOwner}/{repoName}',
    url: '/v1/overrides/acme/widgets',
    records: 'override.deleted',
  },
  { route: 'DELETE /v1/schedules/{id}', url: '/v1/schedules/{schedule}', records: 'schedule.deleted' },
  {
    route: 'DELETE /v1/external-triggers/{id}',
    url: '/v1/external-triggers/{external}',
    records: 'external_trigger.deleted',
  },
  { route: 'DELETE /v1/triggers/{id}', url: '/v1/triggers/{trigger}', records: 'trigger.deleted' },
  {
    route: 'DELETE /v1/git-webhook-sources/{sourceID}',
    url: '/v1/git-webhook-sources/{source}',
    records: 'webhook_source.deleted',
  },
  {
    route: 'DELETE /v1/runners/enrollments/{id}',
    url: '/v1/runners/enrollments/{enrollment}',
    records: 'runner_enrollment.revoked',
  },
  { route: 'DELETE /v1/runners/{id}', url: '/v1/runners/{runner}', records: 'runner.removed' },
  { route: 'DELETE /v1/knowledge/{id}', url: '/v1/knowledge/{item}', records: 'knowledge.deleted' },
  {
    route: 'DELETE /v1/knowledge/{id}',
    url: '/v1/knowledge/{policy}',
    records: 'knowledge.deleted',
    also: 'policy.write',
  },
  { route: 'DELETE /v1/profiles/{id}', url: '/v1/profiles/{profile}', records: 'profile.deleted' },
  { route: 'DELETE /v1/auth/bootstrap', records: 'bootstrap.revoked', onPlatform: true },
]

/** Their rooms test them: they need what no request makes, or a subject of their own. */
const ELSEWHERE = [
  'POST /v1/runs/{id}/approvals/{step}',
  'DELETE /v1/artifacts/{id}',
  'POST /v1/setup/administrator',
  'POST /v1/git-webhook-sources/{sourceID}/connections',
  'POST /v1/git-webhook-sources/{sourceID}/connections/check',
  'POST /v1/git-webhook-sources/{sourceID}/connections/disconnect',
  // rooms/catalog/git-apps/rights.test.ts
  'PUT /v1/git-apps/{provider}',
  'DELETE /v1/git-apps/{provider}',
  'POST /v1/git-apps/{provider}/doctor',
  'POST /v1/git-apps/{provider}/register/start',
  'POST /v1/git-apps/{provider}/install/start',
  'POST /v1/git-apps/{provider}/installations',
  'DELETE /v1/git-apps/{provider}/installations/{installationID}',
  'POST /v1/git-apps/{provider}/installations/{installationID}/verify',
  'POST /v1/git-apps/{provider}/installations/{installationID}/refresh',
  'PUT /v1/git-apps/{provider}/installations/{installationID}/teams',
]

const holds = (role: string, wanted: readonly string[]): boolean =>
  ROLE_NAMES.some((name) => name === role && wanted.every((one) => ROLES[name].some((held) => held === one)))

async function listRecords() {
  return await db.selectFrom('audit_records').select(['action', 'actor_name']).orderBy('id').execute()
}

async function checkWrite({ route, url, body, records, also, onPlatform = false, as }: Write): Promise<void> {
  const [method, path = ''] = route.split(' ') as [Method, string]
  const address = fill(url ?? path)
  const payload = body === undefined ? undefined : fill(body)
  const wanted = [permissions.get(route) ?? '', ...(also === undefined ? [] : [also])]
  const may = (role: string): boolean => holds(role, wanted) && (!onPlatform || role === 'administrator')
  const earlier = await listRecords()
  for (const role of ['stranger', ...ROLE_NAMES.filter((name) => !may(name))]) {
    const refused = await ask(role, method, address, payload)
    assert.ok([403, 404].includes(refused.status) || isHidden(refused), `${role}: ${refused.status} ${refused.text}`)
  }
  assert.deepEqual(await listRecords(), earlier, 'what is refused is done by nobody')
  const weakest = ROLE_NAMES.find(may) ?? ''
  const done = await ask(weakest, method, address, payload)
  assert.ok(done.status >= 200 && done.status < 300, `${weakest}: ${done.status} ${done.text}`)
  if (as !== undefined) made.set(as, String(done.body['id'] ?? done.body['run_id']))
  const recorded = (await listRecords()).slice(earlier.length)
  assert.deepEqual(
    recorded.map(({ action, actor_name }) => ({ action, actor_name })),
    records === undefined ? [] : [{ action: records, actor_name: weakest }],
  )
}

/** Of a team that the caller does not see a body names nothing that there is. */
function isHidden({ status, text }: Answer): boolean {
  return status === 400 && /no (team|pipeline|scope|source|secret|such)/.test(text)
}

describe('a write is for those who hold its permission, and is recorded once', () => {
  for (const write of WRITES) {
    test(`${write.route} ${write.url ?? ''}`, async () => {
      if (write.route.includes('replay') && !made.has('delivery')) await deliver()
      await checkWrite(write)
    })
  }
})

/** A delivery to run again. */
async function deliver(): Promise<void> {
  const id = made.get('source')
  const { headers, body } = signPush({ secret: 'the-value-of-hook' })
  const answer = await http.app.inject({ method: 'POST', url: `/v1/git/webhooks/${id}`, headers, payload: body })
  assert.equal(answer.statusCode, 202, answer.body)
  const [delivery] = JSON.parse((await ask('viewer', 'GET', `/v1/git-webhook-sources/${id}/deliveries`)).text)
  made.set('delivery', delivery.id)
  const event = await db.selectFrom('trigger_events').select('id').executeTakeFirstOrThrow()
  made.set('event', event.id)
}

interface Read {
  readonly route: string
  readonly url?: string
  /** Everybody with the permission on some team sees it. */
  readonly isDirectory?: boolean
  /** It shows nothing of what was made above. */
  readonly isEmpty?: boolean
  readonly onPlatform?: boolean
}

const RUN = '/v1/runs/{run}'
const SOURCE = '/v1/git-webhook-sources/{source}'
const READS: readonly Read[] = [
  { route: 'GET /v1/audit', url: '/v1/audit?limit=500' },
  { route: 'GET /v1/teams' },
  { route: 'GET /v1/teams/{id}', url: '/v1/teams/acme' },
  { route: 'GET /v1/teams/{id}/counts', url: '/v1/teams/acme/counts', isEmpty: true },
  { route: 'GET /v1/teams/{id}/environments', url: '/v1/teams/acme/environments' },
  { route: 'GET /v1/teams/{id}/members', url: '/v1/teams/acme/members' },
  { route: 'GET /v1/secrets' },
  { route: 'GET /v1/secrets/{id}', url: '/v1/secrets/{secret}' },
  { route: 'GET /v1/auth/bootstrap', onPlatform: true, isEmpty: true },
  { route: 'GET /v1/users', isDirectory: true },
  { route: 'GET /v1/users/{id}', url: '/v1/users/{user}', isDirectory: true },
  { route: 'GET /v1/users/{id}/sessions', url: '/v1/users/{signedIn}/sessions', onPlatform: true },
  { route: 'GET /v1/groups', isDirectory: true },
  { route: 'GET /v1/groups/{id}', url: '/v1/groups/{group}', isDirectory: true },
  { route: 'GET /v1/groups/{id}/members', url: '/v1/groups/{group}/members', isDirectory: true },
  { route: 'GET /v1/service-accounts' },
  { route: 'GET /v1/service-accounts/{id}', url: '/v1/service-accounts/{account}' },
  { route: 'GET /v1/tokens' },
  { route: 'GET /v1/grants' },
  { route: 'GET /v1/grants/{id}', url: '/v1/grants/{grant}' },
  { route: 'GET /v1/knowledge' },
  { route: 'GET /v1/knowledge/{id}', url: '/v1/knowledge/{item}' },
  { route: 'GET /v1/knowledge/{id}/revisions', url: '/v1/knowledge/{item}/revisions' },
  { route: 'GET /v1/knowledge/revisions/{id}', url: '/v1/knowledge/revisions/{revision}' },
  { route: 'GET /v1/emergencies', url: '/v1/emergencies?active=false' },
  { route: 'GET /v1/emergencies/{id}', url: '/v1/emergencies/{emergency}' },
  { route: 'GET /v1/profiles' },
  { route: 'GET /v1/profiles/{id}', url: '/v1/profiles/{profile}' },
  { route: 'GET /v1/pipelines' },
  { route: 'GET /v1/pipelines/{id}', url: '/v1/pipelines/{pipeline}' },
  { route: 'GET /v1/pipelines/{id}/versions', url: '/v1/pipelines/{pipeline}/versions' },
  { route: 'GET /v1/pipelines/{id}/versions/{version}', url: '/v1/pipelines/{pipeline}/versions/1' },
  { route: 'GET /v1/runners/enrollments' },
  { route: 'GET /v1/runners/enrollments/{id}', url: '/v1/runners/enrollments/{enrollment}' },
  { route: 'GET /v1/runners' },
  { route: 'GET /v1/runners/{id}', url: '/v1/runners/{runner}' },
  { route: 'GET /v1/runners/{id}/leases', url: '/v1/runners/{runner}/leases', isEmpty: true },
  { route: 'GET /v1/runs' },
  { route: 'GET /v1/pipeline-results', url: '/v1/pipeline-results?pipeline={pipeline}' },
  { route: 'GET /v1/runs/{id}', url: RUN },
  { route: 'GET /v1/runs/{id}/status', url: `${RUN}/status` },
  { route: 'GET /v1/runs/{id}/events', url: `${RUN}/events` },
  { route: 'GET /v1/runs/{id}/outputs', url: `${RUN}/outputs`, isEmpty: true },
  { route: 'GET /v1/runs/{id}/final-outputs', url: `${RUN}/final-outputs`, isEmpty: true },
  { route: 'GET /v1/runs/{id}/commands', url: `${RUN}/commands`, isEmpty: true },
  { route: 'GET /v1/runs/{id}/compare/{other}', url: `${RUN}/compare/{otherRun}` },
  { route: 'GET /v1/explain/run', url: '/v1/explain/run?run_id={run}' },
  { route: 'GET /v1/explain/changes', url: '/v1/explain/changes?run_id={run}&with={otherRun}' },
  { route: 'GET /v1/approvals', isEmpty: true },
  { route: 'GET /v1/runs/{id}/logs', url: `${RUN}/logs`, isEmpty: true },
  { route: 'GET /v1/runs/{id}/logs/stream', url: `${RUN}/logs/stream`, isEmpty: true },
  { route: 'GET /v1/runs/{id}/logs/download', url: `${RUN}/logs/download`, isEmpty: true },
  { route: 'GET /v1/explain/failure', url: '/v1/explain/failure?run_id={run}' },
  { route: 'GET /v1/runs/{id}/artifacts', url: `${RUN}/artifacts`, isEmpty: true },
  { route: 'GET /v1/storage', url: '/v1/storage?team_path=acme', isEmpty: true },
  { route: 'GET /v1/system/dispatcher', isEmpty: true },
  { route: 'GET /v1/system/settings', isEmpty: true, onPlatform: true },
  { route: 'GET /v1/overrides' },
  { route: 'GET /v1/overrides/{repoOwner}/{repoName}', url: '/v1/overrides/acme/widgets' },
  { route: 'GET /v1/overrides/{repoOwner}/{repoName}/resolution', url: '/v1/overrides/acme/widgets/resolution' },
  { route: 'GET /v1/triggers' },
  { route: 'GET /v1/triggers/{id}', url: '/v1/triggers/{trigger}' },
  { route: 'GET /v1/external-triggers' },
  { route: 'GET /v1/external-triggers/{id}', url: '/v1/external-triggers/{external}' },
  { route: 'GET /v1/schedules' },
  { route: 'GET /v1/schedules/{id}', url: '/v1/schedules/{schedule}' },
  { route: 'GET /v1/schedules/{id}/backfills', url: '/v1/schedules/{schedule}/backfills' },
  {
    route: 'GET /v1/schedules/{id}/backfills/{backfill_id}',
    url: '/v1/schedules/{schedule}/backfills/{backfill}',
  },
  { route: 'GET /v1/schedules/{id}/fires', url: '/v1/schedules/acme%2Fnightly/fires', isEmpty: true },
  { route: 'GET /v1/explain/schedule', url: '/v1/explain/schedule?schedule=acme/nightly' },
  { route: 'GET /v1/git-webhook-sources' },
  { route: 'GET /v1/git-webhook-sources/{sourceID}', url: SOURCE },
  { route: 'GET /v1/git-webhook-sources/{sourceID}/health', url: `${SOURCE}/health` },
  { route: 'GET /v1/git-webhook-sources/{sourceID}/deliveries', url: `${SOURCE}/deliveries` },
  { route: 'GET /v1/deliveries' },
  { route: 'GET /v1/explain/push', url: '/v1/explain/push?delivery_id={delivery}' },
  { route: 'GET /v1/explain/push', url: '/v1/explain/push?repository=acme/widgets' },
  { route: 'GET /v1/git-webhook-sources/{sourceID}/deliveries/{deliveryID}', url: `${SOURCE}/deliveries/{delivery}` },
  { route: 'GET /v1/events' },
  { route: 'GET /v1/events/{id}', url: '/v1/events/{event}' },
]

/** Their rooms test them: they show what no request makes. */
const SHOWN_ELSEWHERE = [
  // rooms/causes/commands/commands.test.ts
  'GET /v1/comment-commands',
  // rooms/causes/reports/checks.test.ts
  'GET /v1/runs/{id}/reports',
  'GET /v1/git-webhook-sources/{sourceID}/connections',
  // rooms/execution/dispatch/last-success.test.ts
  'GET /v1/runs/{id}/last-success',
  // rooms/causes/recovery/recovery.test.ts
  'GET /v1/git-webhook-sources/{sourceID}/recoveries',
  'GET /v1/git-webhook-sources/{sourceID}/recovery',
  'GET /v1/runs/{id}/final-outputs/{name}',
  'GET /v1/artifacts/{id}',
  'GET /v1/artifacts/{id}/download',
  'GET /v1/artifacts/{id}/files',
  'GET /v1/artifacts/{id}/files/content',
  'GET /v1/repositories/{repoOwner}/{repoName}/branches',
  'GET /v1/git-apps/{provider}',
  'GET /v1/git-apps/{provider}/installations',
  'GET /v1/git-apps/{provider}/installations/{installationID}',
  'GET /v1/git-apps/{provider}/installations/{installationID}/repositories',
  'GET /v1/git-apps/{provider}/registration',
  'GET /v1/git-apps/{provider}/repositories',
]

/** Whether the answer tells of something that was made here. */
function tells({ text }: Answer): boolean {
  return [...made.values()].some((id) => text.includes(id)) || /acme\/(test|build|robot)/.test(text)
}

async function checkRead({
  route,
  url,
  isDirectory = false,
  isEmpty = false,
  onPlatform = false,
}: Read): Promise<void> {
  const address = fill(url ?? route.slice('GET '.length))
  const may = (role: string): boolean =>
    holds(role, [permissions.get(route) ?? '']) && (!onPlatform || role === 'administrator')
  const strangers = isDirectory ? [] : ['stranger']
  for (const role of [...strangers, ...ROLE_NAMES.filter((name) => !may(name))]) {
    const refused = await ask(role, 'GET', address)
    const isNothing = [403, 404].includes(refused.status) || (refused.status === 200 && !tells(refused))
    assert.ok(isNothing, `${role}: ${refused.status} ${refused.text}`)
    // Not even that there is nothing, of what only members know of.
    if (isEmpty && /run|acme/.test(url ?? '')) assert.notEqual(refused.status, 200, `${role}: ${refused.text}`)
  }
  const weakest = ROLE_NAMES.find(may) ?? ''
  const shown = await ask(weakest, 'GET', address)
  assert.equal(shown.status, 200, `${weakest}: ${shown.text}`)
  assert.ok(isEmpty || tells(shown), `${weakest}: ${shown.text}`)
}

describe('a read shows its things to those who hold its permission, and to nobody else', () => {
  for (const read of READS) {
    test(`${read.route} ${read.url ?? ''}`, async () => {
      if (!made.has('revision')) {
        const item = await ask('viewer', 'GET', fill('/v1/knowledge/{item}'))
        made.set('revision', String(item.body['revision_id']))
      }
      await checkRead(read)
    })
  }
})

describe('rights in two teams do not add up', () => {
  /** Of somebody who may see one team and change the other. */
  const SOURCE_IN_OTHER = { team_path: 'other', credential_ref: 'secret:other/hook' }
  const TRIGGER_IN_OTHER = { team_path: 'other', source_id: null, pipeline: 'other/build', scope: 'other/test' }

  before(async () => {
    await anEnvironment(db, 'other/test')
    for (const [url, body] of [
      ['/v1/secrets', { team_path: 'other', name: 'hook', value: 'the-value-of-hook' }],
      ['/v1/pipelines', { team_path: 'other', document: documentOf('build') }],
    ] as const) {
      assert.equal((await ask('stranger', 'POST', url, body)).status, 201)
    }
    for (const [name, inAcme, inOther] of [
      ['taker', 'viewer', 'owner'],
      // May start runs there, so that nothing but the right to write stands in the way.
      ['giver', 'editor', 'operator'],
    ] as const) {
      const one = await aMemberOf(db, name, { acme: inAcme, other: inOther })
      members.set(name, one)
    }
    const started = await ask('administrator', 'POST', '/v1/pipelines/acme%2Fbuild/runs', { scope: 'other/test' })
    made.set('runElsewhere', String(started.body['run_id']))
  })

  for (const [role, method, url, body] of [
    ['taker', 'PATCH', SOURCE, SOURCE_IN_OTHER],
    ['giver', 'PATCH', SOURCE, SOURCE_IN_OTHER],
    ['taker', 'PATCH', '/v1/triggers/{trigger}', TRIGGER_IN_OTHER],
    ['giver', 'PATCH', '/v1/triggers/{trigger}', TRIGGER_IN_OTHER],
    ['taker', 'POST', '/v1/pipelines/acme%2Fbuild/runs', { scope: 'other/test' }],
    ['taker', 'POST', '/v1/runs/{runElsewhere}/rerun', {}],
    ['taker', 'POST', '/v1/runs/{runElsewhere}/cancel', {}],
  ] as const) {
    test(`${role}: ${method} ${url} ${JSON.stringify(body)}`, async () => {
      const answer = await ask(role, method, fill(url), body)
      assert.equal(answer.status, 403, answer.text)
    })
  }
})

describe('a list', () => {
  for (const { route, url } of READS.filter(({ route: one }) => !one.includes('{'))) {
    test(`${route} names a next page only where there is one`, async () => {
      const address = (url ?? route.slice('GET '.length)).replace(/[?&]limit=\d+/, '')
      const asked = (limit: number) =>
        ask('administrator', 'GET', `${address}${address.includes('?') ? '&' : '?'}limit=${limit}`)
      const { text } = await asked(500)
      const all: unknown = text.startsWith('[') ? JSON.parse(text) : undefined
      if (!Array.isArray(all) || all.length === 0) return
      const [last, first] = [await asked(all.length), all.length > 1 ? await asked(all.length - 1) : undefined]
      assert.equal(last.headers['link'], undefined, 'all are on this page')
      if (first) assert.match(String(first.headers['link']), /rel="next"/)
    })
  }
})

test('every route that needs a permission is tried here, or by its room', () => {
  const tried = new Set([...WRITES, ...READS, ...DELETES].map(({ route }) => route))
  const others = [...permissions.keys()].filter((route) => !tried.has(route))
  assert.deepEqual(others.toSorted(), [...ELSEWHERE, ...SHOWN_ELSEWHERE].toSorted())
})

describe('what takes away is for those who hold its permission, and is recorded once', () => {
  for (const write of DELETES) test(`${write.route} ${write.url ?? ''}`, () => checkWrite(write))
})
