import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { rightRequests } from '../fuzz/requests.ts'
import { startHouse } from '../house/house.ts'
import { RULE } from '../house/kept.ts'
import { type Operation, readOperations } from '../house/open-api.ts'
import { createRawClient, type RawRequest } from '../house/raw-http.ts'
import { makeWorld } from '../house/world.ts'

const house = await startHouse()
const north = await makeWorld(house, 'north')
const south = await makeWorld(house, 'south')
const { admin } = south
await admin.send('PUT', '/v1/overrides/acme/hidden', { pipeline: 'north/build', scope: 'north/test' })
const operations = await readOperations(house.url)
const client = createRawClient(house.url)
after(async () => {
  client.close()
  await house.stop()
})

const NO_ID = '019a0000-0000-7000-8000-000000000000'
const idOf = (collection: string): string => north.ids.get(collection)?.[0] ?? assert.fail(`no ${collection}`)
/** A document of one step, with `more` of it and of its task. */
const documentOf = (more: string, task = ''): string =>
  `name: probe\n${more}\nsteps:\n  - name: one\n    tasks:\n      - { name: only, run: "true"${task} }\n`
const trigger = {
  name: 'probe',
  team_path: 'south',
  source_id: south.team.sourceId,
  repositories: ['acme/shop'],
  events: ['push'],
  pipeline: 'south/build',
  scope: 'south/test',
}
const source = {
  name: 'probe',
  provider: 'github',
  team_path: 'south',
  credential_ref: 'secret:south/webhook',
  repository_allowlist: ['acme/*'],
}
const event = {
  kind: 'push',
  action: 'updated',
  provider: 'generic',
  repository: { full_name: 'acme/shop' },
  ref: 'refs/heads/main',
  after: '3'.repeat(40),
  pipeline: 'south/build',
  scope: 'south/test',
}
const schedule = {
  path: 'south',
  name: 'probe',
  pipeline: 'south/build',
  scope: 'south/test',
  schedule_kind: 'recurring',
  cron_expression: '0 4 * * *',
  enabled: false,
}
const externalTrigger = { team_path: 'south', name: 'probe', pipeline: 'south/build', scope: 'south/test' }
const ownSchedule = `/v1/schedules/${south.ids.get('/v1/schedules')?.[0]}`
const ownExternalTrigger = `/v1/external-triggers/${south.ids.get('/v1/external-triggers')?.[0]}`
const knowledge = { ...RULE, team_path: 'south', name: 'probe', kind: 'guardrail' }
const override = { pipeline: 'south/build', scope: 'south/test' }
const preview = { ...override, repo_owner: 'acme', repo_name: 'shop' }

/** A request that names something; `body` is JSON unless it is a text. */
type Naming = readonly [string, string, unknown?]
type Requests = (name: string) => readonly Naming[]

interface Kind {
  /** Existing things of a team that the caller may not see. */
  readonly hidden: string
  /** Things that do not exist. */
  readonly absent: readonly string[]
  readonly requests: Requests
}

const path = encodeURIComponent
const RANGE = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
const scheduleRequests: Requests = (id) => [
  ['GET', `/v1/schedules/${path(id)}`],
  ['PUT', `/v1/schedules/${path(id)}`, schedule],
  ['PATCH', `/v1/schedules/${path(id)}`, { name: 'probed' }],
  ['DELETE', `/v1/schedules/${path(id)}`],
  ['POST', `/v1/schedules/${path(id)}/enable`],
  ['POST', `/v1/schedules/${path(id)}/disable`],
  ['POST', `/v1/schedules/${path(id)}/run`],
  ['GET', `/v1/schedules/${path(id)}/fires`],
  ['GET', `/v1/explain/schedule?schedule=${path(id)}`],
  ['POST', '/v1/schedules/preview', { schedule: id }],
  ['POST', `/v1/schedules/${path(id)}/backfill`, RANGE],
  ['GET', `/v1/schedules/${path(id)}/backfills`],
]
const externalTriggerRequests: Requests = (id) => [
  ['GET', `/v1/external-triggers/${path(id)}`],
  ['PUT', `/v1/external-triggers/${path(id)}`, externalTrigger],
  ['PATCH', `/v1/external-triggers/${path(id)}`, { enabled: false }],
  ['DELETE', `/v1/external-triggers/${path(id)}`],
  ['POST', `/v1/external-triggers/${path(id)}/rotate`],
  ['POST', `/v1/external-triggers/${path(id)}/fire`, {}],
]
const kinds: Readonly<Record<string, Kind>> = {
  scope: {
    hidden: 'north/test',
    absent: ['north/none', 'nowhere/test'],
    requests: (scope) => [
      ['POST', `/v1/pipelines/south%2Fbuild/runs`, { scope }],
      ['POST', '/v1/triggers', { ...trigger, scope }],
      ['PATCH', `/v1/triggers/${south.ids.get('/v1/triggers')?.[0]}`, { scope }],
      ['POST', '/v1/triggers/simulate', { trigger: { ...trigger, scope } }],
      ['PUT', '/v1/overrides/acme/shop', { ...override, scope }],
      ['POST', '/v1/overrides/preview', { ...preview, scope }],
      ['POST', '/v1/overrides/validate', `pipeline: south/build\nscope: ${scope}\n`],
      ['POST', '/v1/git/events', { ...event, scope }],
      ['POST', '/v1/schedules', { ...schedule, scope }],
      ['PUT', ownSchedule, { ...schedule, scope }],
      ['PATCH', ownSchedule, { scope }],
      ['POST', '/v1/external-triggers', { ...externalTrigger, scope }],
      ['PUT', ownExternalTrigger, { ...externalTrigger, scope }],
      ['PATCH', ownExternalTrigger, { scope }],
      [
        'POST',
        '/v1/pipelines',
        { team_path: 'south', document: documentOf('').replace('  - name: one', `  - name: one\n    scope: ${scope}`) },
      ],
      [
        'POST',
        '/v1/pipelines/validate',
        { team_path: 'south', document: documentOf('').replace('  - name: one', `  - name: one\n    scope: ${scope}`) },
      ],
      ['POST', '/v1/knowledge', { ...knowledge, scope }],
      ['POST', '/v1/knowledge/validate', { ...knowledge, scope }],
      ['POST', '/v1/knowledge/trials', { draft: knowledge, scope }],
      ['POST', '/v1/runners/enrollments', { team_path: 'south', scopes: [scope] }],
      ['POST', '/v1/emergencies', { scope, reason: 'probe' }],
    ],
  },
  pipeline: {
    hidden: 'north/build',
    absent: ['north/none', 'nowhere/build'],
    requests: (pipeline) => [
      ['GET', `/v1/pipelines/${path(pipeline)}`],
      ['POST', `/v1/pipelines/${path(pipeline)}/runs`, { scope: 'south/test' }],
      ['PUT', `/v1/pipelines/${path(pipeline)}`, { document: documentOf('') }],
      ['DELETE', `/v1/pipelines/${path(pipeline)}`],
      ['GET', `/v1/runs?pipeline=${path(pipeline)}`],
      ['POST', '/v1/knowledge/trials', { draft: knowledge, pipeline }],
      ['POST', '/v1/triggers', { ...trigger, pipeline }],
      ['POST', '/v1/triggers/simulate', { trigger: { ...trigger, pipeline } }],
      ['PUT', '/v1/overrides/acme/shop', { ...override, pipeline }],
      ['POST', '/v1/overrides/preview', { ...preview, pipeline }],
      ['POST', '/v1/overrides/validate', `pipeline: ${pipeline}\nscope: south/test\n`],
      ['POST', '/v1/git/events', { ...event, pipeline }],
      ['POST', '/v1/schedules', { ...schedule, pipeline }],
      ['POST', '/v1/schedules', { ...schedule, pipeline, scope: undefined }],
      ['PUT', ownSchedule, { ...schedule, pipeline }],
      ['PATCH', ownSchedule, { pipeline }],
      ['POST', '/v1/external-triggers', { ...externalTrigger, pipeline }],
      ['POST', '/v1/external-triggers', { ...externalTrigger, pipeline, scope: undefined }],
      ['PUT', ownExternalTrigger, { ...externalTrigger, pipeline }],
      ['PATCH', ownExternalTrigger, { pipeline }],
      [
        'POST',
        '/v1/pipelines',
        { team_path: 'south', document: documentOf('').replace('run: "true"', `pipeline: ${pipeline}`) },
      ],
      [
        'POST',
        '/v1/pipelines/validate',
        { team_path: 'south', document: documentOf('').replace('run: "true"', `pipeline: ${pipeline}`) },
      ],
    ],
  },
  secret: {
    hidden: 'north/npm',
    absent: ['north/nil', 'nowhere/npm'],
    requests: (secret) => [
      ['POST', '/v1/pipelines', { team_path: 'south', document: documentOf(`secrets: { S: ${secret} }`) }],
      ['POST', '/v1/pipelines/validate', { team_path: 'south', document: documentOf(`secrets: { S: ${secret} }`) }],
      ['POST', '/v1/git-webhook-sources', { ...source, credential_ref: `secret:${secret}` }],
      ['POST', '/v1/git-webhook-sources', { ...source, checkout_credential_ref: `secret:${secret}` }],
    ],
  },
  profile: {
    hidden: 'north/first',
    absent: ['north/firth', 'nowhere/first'],
    requests: (profile) => [
      ['GET', `/v1/profiles/${path(profile)}`],
      ['POST', '/v1/pipelines', { team_path: 'south', document: documentOf(`profile: ${profile}`) }],
      ['POST', '/v1/pipelines/validate', { team_path: 'south', document: documentOf(`profile: ${profile}`) }],
    ],
  },
  approver: {
    hidden: 'service_account:north/first',
    absent: ['service_account:north/firth', 'service_account:nowhere/first'],
    requests: (approver) => [
      [
        'POST',
        '/v1/pipelines/validate',
        {
          team_path: 'south',
          document: `name: probe\nsteps:\n  - name: one\n    approval: { approvers: ["${approver}"] }\n`,
        },
      ],
    ],
  },
  team: {
    hidden: 'north',
    absent: ['nowhere'],
    requests: (team) => [
      ['GET', `/v1/teams/${team}`],
      ['PATCH', `/v1/teams/${team}`, { name: 'x' }],
      ['DELETE', `/v1/teams/${team}`],
      ['GET', `/v1/teams/${team}/environments`],
      ['POST', `/v1/teams/${team}/environments`, { name: 'probe' }],
      ['POST', '/v1/teams', { path: `${team}/probe` }],
      ['POST', '/v1/secrets', { team_path: team, name: 'probe', value: 'long enough' }],
      ['POST', '/v1/pipelines', { team_path: team, document: documentOf('') }],
      ['POST', '/v1/pipelines/validate', { team_path: team, document: documentOf('') }],
      ['POST', '/v1/profiles', { team_path: team, name: 'probe', executor: 'host' }],
      ['POST', '/v1/knowledge', { ...knowledge, team_path: team, scope: `${team}/**` }],
      ['POST', '/v1/knowledge/validate', { ...knowledge, team_path: team, scope: `${team}/**` }],
      ['POST', '/v1/knowledge/trials', { draft: knowledge, team_path: team }],
      ['POST', '/v1/knowledge/trials', { draft: { ...knowledge, team_path: team, scope: `${team}/**` } }],
      ['POST', '/v1/service-accounts', { team_path: team, name: 'probe' }],
      ['POST', '/v1/grants', { subject: `user:${NO_ID}`, role: 'viewer', team_path: team }],
      ['POST', '/v1/runners/enrollments', { team_path: team, scopes: [`${team}/**`] }],
      ['POST', '/v1/emergencies', { scope: `${team}/**`, reason: 'probe' }],
      ['POST', '/v1/triggers', { ...trigger, team_path: team }],
      ['POST', '/v1/triggers/simulate', { trigger: { ...trigger, team_path: team } }],
      ['POST', '/v1/git-webhook-sources', { ...source, team_path: team }],
      ['PATCH', `/v1/git-webhook-sources/${south.team.sourceId}`, { team_path: team }],
      ['GET', `/v1/storage?team_path=${team}`],
      ['PUT', '/v1/storage', { team_path: team, artifact_quota_bytes: 1 }],
      ['GET', `/v1/runs?teamId=${team}`],
      ['POST', '/v1/schedules', { ...schedule, path: team }],
      ['POST', '/v1/schedules', { ...schedule, run_team_path: team }],
      ['PUT', ownSchedule, { ...schedule, path: team }],
      ['PATCH', ownSchedule, { run_team_path: team }],
      ['GET', `/v1/schedules?team_path=${team}`],
      ['POST', '/v1/external-triggers', { ...externalTrigger, team_path: team }],
      ['POST', '/v1/external-triggers', { ...externalTrigger, run_team_path: team }],
      ['PUT', ownExternalTrigger, { ...externalTrigger, team_path: team }],
      ['PATCH', ownExternalTrigger, { run_team_path: team }],
      ['GET', `/v1/external-triggers?team_path=${team}`],
    ],
  },
  source: {
    hidden: idOf('/v1/git-webhook-sources'),
    absent: [NO_ID],
    requests: (id) => [
      ['GET', `/v1/git-webhook-sources/${id}`],
      ['PATCH', `/v1/git-webhook-sources/${id}`, { enabled: false }],
      ['DELETE', `/v1/git-webhook-sources/${id}`],
      ['GET', `/v1/git-webhook-sources/${id}/deliveries`],
      ['GET', `/v1/git-webhook-sources/${id}/health`],
      ['POST', '/v1/triggers', { ...trigger, source_id: id }],
      ['POST', '/v1/triggers/simulate', { trigger: { ...trigger, source_id: null }, source_id: id }],
    ],
  },
  schedule: {
    hidden: idOf('/v1/schedules'),
    absent: [NO_ID],
    requests: (id) => [
      ...scheduleRequests(id),
      ['GET', `/v1/schedules/${id}/backfills/${idOf('backfills')}`],
      ['POST', `/v1/schedules/${id}/backfills/${idOf('backfills')}/cancel`],
    ],
  },
  'schedule by its name': {
    hidden: 'north/first',
    absent: ['north/firth', 'nowhere/first'],
    requests: scheduleRequests,
  },
  'backfill of another schedule': {
    hidden: idOf('backfills'),
    absent: [NO_ID],
    requests: (id) => [
      ['GET', `${ownSchedule}/backfills/${id}`],
      ['POST', `${ownSchedule}/backfills/${id}/cancel`],
    ],
  },
  'external trigger': {
    hidden: idOf('/v1/external-triggers'),
    absent: [NO_ID],
    requests: (id) => [
      ...externalTriggerRequests(id),
      ['POST', `/v1/external-triggers/${id}/fire/sbxe_${'0'.repeat(36)}`],
    ],
  },
  'external trigger by its name': {
    hidden: 'north/first',
    absent: ['north/firth', 'nowhere/first'],
    requests: externalTriggerRequests,
  },
  event: {
    hidden: idOf('/v1/events'),
    absent: [NO_ID],
    requests: (id) => [['GET', `/v1/events/${id}`]],
  },
  run: {
    hidden: idOf('/v1/runs'),
    absent: [NO_ID],
    requests: (id) => [
      ...['', '/status', '/logs', '/logs/stream', '/logs/download', '/events', '/outputs', '/artifacts'].map(
        (below): Naming => ['GET', `/v1/runs/${id}${below}`],
      ),
      ['POST', `/v1/runs/${id}/rerun`, {}],
      ['POST', `/v1/runs/${id}/cancel`, {}],
      ['POST', `/v1/runs/${id}/approvals/one`, { decision: 'approve' }],
      ['GET', `/v1/runs/${id}/compare/${south.ids.get('/v1/runs')?.[0]}`],
    ],
  },
  'repository with an override': {
    hidden: 'acme/hidden',
    absent: ['acme/absent'],
    requests: (repository) => [
      ['GET', `/v1/overrides/${repository}`],
      ['DELETE', `/v1/overrides/${repository}`],
      ['GET', `/v1/overrides/${repository}/resolution`],
      ['PUT', `/v1/overrides/${repository}`, override],
      ['POST', '/v1/overrides/preview', { ...override, repo_owner: 'acme', repo_name: repository.slice(5) }],
    ],
  },
  'service account': {
    hidden: idOf('/v1/service-accounts'),
    absent: [NO_ID],
    requests: (id) => [
      ['GET', `/v1/service-accounts/${id}`],
      ['PATCH', `/v1/service-accounts/${id}`, { disabled: true }],
      ['DELETE', `/v1/service-accounts/${id}`],
      ['POST', '/v1/tokens', { name: 'probe', service_account_id: id }],
    ],
  },
}

/** The answer to a caller, less the name and the request's own id. */
async function hear(token: string, [method, url, body]: Naming, name: string): Promise<string> {
  const isText = typeof body === 'string'
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': isText ? 'application/yaml' : 'application/json' }),
  }
  const bytes = body === undefined ? undefined : Buffer.from(isText ? body : JSON.stringify(body))
  return hearRaw({ method, path: url, headers, body: bytes }, name)
}

async function hearRaw(request: RawRequest, name: string): Promise<string> {
  const answer = await client.send(request)
  const { date: _date, 'x-request-id': _id, 'content-length': _length, etag: _etag, ...headers } = answer.headers
  const names = [name, path(name), JSON.stringify(name).slice(1, -1), name.split(/[/:]/).slice(0, -1).join('/')]
  const withoutNames = names
    .filter((each) => each !== '')
    .reduce((text, each) => text.replaceAll(each, 'NAME'), answer.body)
    .replaceAll(`secret ${name.split('/').at(-1)} of`, 'secret NAME of')
  const text = withoutNames
    .replace(/"(request_id|created_at|updated_at|repo_name)":"[^"]*"/g, '')
    .replace(/column \d+|"column":\d+/g, '')
  return `${answer.status} ${JSON.stringify(headers)} ${text}`
}

for (const role of ['owner', 'editor', 'viewer'] as const) {
  describe(`to the ${role} of another team what is hidden reads as what is absent`, () => {
    const { token } = south.members[role]
    for (const [kind, { hidden, absent, requests }] of Object.entries(kinds)) {
      for (const [at, naming] of requests(hidden).entries()) {
        const [method, url] = naming
        test(`a ${kind} in ${method} ${url.replace(hidden, '<it>').replace(path(hidden), '<it>')}`, async () => {
          const heard = await hear(token, naming, hidden)
          assert.doesNotMatch(heard, /^5/)
          for (const name of absent) {
            const other = requests(name)[at]
            assert.ok(other)
            assert.equal(heard, await hear(token, other, name))
          }
        })
      }
    }
  })
}

/** Owners choose from all users and groups whom they grant something. */
const OF_THE_PLATFORM = /^\/v1\/(users|groups)/
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

describe('to the owner of another team the id of a hidden thing reads as no id, on every route that takes one', () => {
  const takesId = ({ isPublic, permission, path: template }: Operation) =>
    !isPublic && permission !== undefined && template.includes('{') && !OF_THE_PLATFORM.test(template)
  const naming = (operation: Operation) =>
    fc
      .sample(rightRequests(operation, north, south.members.owner.token), { seed: 7, numRuns: 6 })
      .flatMap((request) => {
        const id = UUID.exec(request.path.split('?')[0] ?? '')?.[0]
        return id === undefined || id === NO_ID ? [] : [{ request, id }]
      })
  const cases = operations.filter(takesId).map((operation) => ({ operation, requests: naming(operation) }))
  for (const { operation, requests } of cases.filter((one) => one.requests.length > 0)) {
    test(`${operation.method} ${operation.path}`, async () => {
      for (const { request, id } of requests) {
        const heard = await hearRaw(request, id)
        assert.doesNotMatch(heard, /^[25]/)
        assert.equal(heard, await hearRaw({ ...request, path: request.path.replace(id, NO_ID) }, NO_ID))
      }
    })
  }
})
