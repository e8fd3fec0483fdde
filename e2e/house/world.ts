import { randomBytes } from 'node:crypto'
import type { Api } from './api.ts'
import { signIn } from './browser.ts'
import type { House } from './house.ts'
import { makeArtifacts, makeEmergencies, makeKnowledge, makeSchedules } from './kept.ts'
import { startRunner } from './runner.ts'
import { deliverPush, makePipeline, makeTeam, makeTrigger, type Team } from './team.ts'

/** One object of every kind in one team, and another of each that a test may delete. */
export interface World {
  readonly team: Team
  readonly admin: Api
  /** Tokens of members with one role each in `team`, and nothing elsewhere. */
  readonly members: Readonly<Record<RoleName, Api>>
  /** Ids by the collection in whose path they stand, such as `/v1/runs`; the last one is there to be deleted. */
  readonly ids: ReadonlyMap<string, readonly string[]>
  /** The values that no answer and no log may hold. */
  readonly planted: readonly string[]
  readonly pipeline: string
}

export const ROLE_NAMES = ['viewer', 'operator', 'editor', 'owner'] as const
export type RoleName = (typeof ROLE_NAMES)[number]

export const PIPELINE = `name: NAME
secrets: { NPM: TEAM/npm }
variables: { GREETING: hello }
steps:
  - name: build
    tasks:
      - name: compile
        run: echo "$GREETING"
`

const UNKNOWN = '019a0000-0000-7000-8000-000000000000'

interface Made {
  readonly id: string
}

/** A team as a user makes it, with `house`'s administrator; every request is expected to succeed. */
export async function makeWorld(house: House, path: string): Promise<World> {
  const admin = await makeAdministrator(house, path)
  const team = await makeTeam(admin, path)
  const npm = `npm-${randomBytes(12).toString('hex')}`
  const post = (collection: string, body: unknown): Promise<Made> => admin.send<Made>('POST', collection, body)
  const two = async (collection: string, body: (name: string) => unknown): Promise<string[]> => [
    (await post(collection, body('first'))).id,
    (await post(collection, body('spare'))).id,
  ]
  const secrets = [
    (await post('/v1/secrets', { team_path: path, name: 'npm', value: npm })).id,
    (await post('/v1/secrets', { team_path: path, name: 'spare', value: `spare-${npm}` })).id,
  ]
  const pipeline = await makePipeline(admin, team, documentOf('build', path))
  const spare = await makePipeline(admin, team, documentOf('spare', path))
  await makeTrigger(admin, team, 'on-push', pipeline)
  await makeTrigger(admin, team, 'spare', pipeline)
  const { schedules, backfills } = await makeSchedules(admin, team, pipeline)
  const sources = await spareSource(admin, team)
  const runs = await makeRuns(admin, team, pipeline)
  const heldRun = await makeHeldRun(admin, team, pipeline)
  const planned = { action: 'startRun', params: { id: pipeline }, body: { scope: team.scope } }
  const plans = await two('/v1/plans', () => planned)
  await deliverPush(admin, team, 'https://git.example/acme/shop.git', { before: '1'.repeat(40), after: '2'.repeat(40) })
  const teams = [
    (await admin.get<Made>(`/v1/teams/${path}`)).id,
    (await post('/v1/teams', { path: `${path}/spare` })).id,
  ]
  await post(`/v1/teams/${path}/environments`, { name: 'spare' })
  const users = await two('/v1/users', (name) => ({ login: `${path}-${name}`, name, password: `long-enough-${npm}` }))
  const groups = await two('/v1/groups', (name) => ({ name: `${path}-${name}` }))
  for (const [at, group] of groups.entries()) await admin.send('PUT', `/v1/groups/${group}/members/${users[at]}`)
  const accounts = await two('/v1/service-accounts', (name) => ({ team_path: path, name }))
  const tokens = await two('/v1/tokens', (name) => ({ name, service_account_id: accounts[0] }))
  const sessions = await Promise.all(
    ['first', 'spare'].map(
      async (name) => (await signIn(house.url, `${path}-${name}`, `long-enough-${npm}`)).sessionId,
    ),
  )
  const grants = [
    (await post('/v1/grants', { subject: `user:${users[0]}`, role: 'viewer', team_path: path })).id,
    (await post('/v1/grants', { subject: `user:${users[0]}`, role: 'operator', team_path: path })).id,
  ]
  const profiles = await two('/v1/profiles', (name) => ({ team_path: path, name, executor: 'host' }))
  const enrollments = await two('/v1/runners/enrollments', () => ({ team_path: path, scopes: [`${path}/**`] }))
  const runners = [
    await makeRunner(house, admin, `${path}-first`, path),
    await makeRunner(house, admin, `${path}-spare`, path),
  ]
  const knowledge = await makeKnowledge(admin, path)
  const emergencies = await makeEmergencies(admin, `${path}/spare`)
  const { artifacts, runId: leaving } = await makeArtifacts(house, admin, team)
  const externalTriggers = await Promise.all(
    ['first', 'spare'].map((name) =>
      admin.send<Made & { secret: string }>('POST', '/v1/external-triggers', {
        team_path: path,
        name,
        pipeline,
        scope: team.scope,
      }),
    ),
  )
  const triggers = (await admin.get<Made[]>(`/v1/triggers?team_path=${path}`)).map(({ id }) => id).reverse()
  const deliveries = await admin.get<Made[]>(`/v1/git-webhook-sources/${team.sourceId}/deliveries`)
  const events = (await admin.get<(Made & { source_id: string | null })[]>('/v1/events?repository=acme/shop')).filter(
    ({ source_id }) => source_id === team.sourceId,
  )
  return {
    team,
    admin,
    members: await makeMembers(admin, path),
    pipeline,
    planted: [npm, team.webhookSecret, ...externalTriggers.map(({ secret }) => secret)],
    ids: new Map<string, readonly string[]>([
      ['/v1/teams', [path, ...teams]],
      ['environments', ['test', 'spare']],
      ['/v1/secrets', secrets],
      ['/v1/users', users],
      ['/v1/groups', groups],
      ['members', users],
      ['/v1/service-accounts', accounts],
      ['/v1/tokens', tokens],
      ['/v1/grants', grants],
      ['/v1/sessions', sessions],
      ['/v1/sign-in', ['github']],
      ['/v1/git-apps', ['github']],
      ['installations', ['4711', '4712']],
      ['/v1/knowledge', knowledge.items],
      ['/v1/knowledge/revisions', knowledge.revisions],
      ['/v1/emergencies', emergencies],
      ['/v1/profiles', [`${path}/first`, ...profiles]],
      ['/v1/pipelines', [pipeline, spare]],
      ['versions', ['1']],
      ['/v1/runners/enrollments', enrollments],
      ['/v1/runners', runners],
      ['/v1/runs', runs],
      ['/v1/plans', plans],
      ['/v1/runs/{id}/approvals/{step} id', [heldRun]],
      ['approvals', ['fork']],
      ['/v1/runs/{id}/final-outputs/{name} id', [leaving]],
      ['final-outputs', ['summary']],
      ['compare', runs],
      ['/v1/artifacts', artifacts],
      ['/v1/transfers/artifacts', artifacts],
      // No request tells the ids of these.
      ['identities', [UNKNOWN]],
      ['/v1/transfers/blobs', [UNKNOWN]],
      ['/v1/transfers/caches', [UNKNOWN]],
      ['parts', ['0']],
      ['/v1/triggers', triggers],
      ['/v1/schedules', schedules],
      ['backfills', backfills],
      ['/v1/external-triggers', externalTriggers.map(({ id }) => id)],
      ['fire', [`sbxe_${'0'.repeat(36)}`]],
      ['/v1/overrides', ['acme']],
      ['/v1/repositories', ['acme']],
      ['{repoOwner}', ['shop', 'spare']],
      ['/v1/git/webhooks', sources],
      ['/v1/git-webhook-sources', sources],
      ['deliveries', deliveries.map(({ id }) => id)],
      ['/v1/events', events.map(({ id }) => id)],
    ]),
  }
}

/**
 * The ids that may stand for a path parameter. `/v1/runs/{id}/logs` takes those of `/v1/runs`, unless the path has ids
 * of its own, which nothing else touches.
 */
export function idsFor(ids: World['ids'], path: string, parameter: string): readonly string[] {
  const before = path.slice(0, path.indexOf(`/{${parameter}}`))
  const own = ids.get(`${path} ${parameter}`)
  return own ?? ids.get(before) ?? ids.get(before.split('/').at(-1) ?? '') ?? []
}

/** A user with the role administrator and a token of their own, so that tests may change the bootstrap token. */
async function makeAdministrator(house: House, path: string): Promise<Api> {
  const user = await house.api.send<Made>('POST', '/v1/users', { login: `${path}-administrator` })
  await house.api.send('POST', '/v1/grants', { subject: `user:${user.id}`, role: 'administrator', team_path: '/' })
  const token = await house.api.send<{ token: string }>('POST', '/v1/tokens', { name: 'tests', user_id: user.id })
  return house.api.as(token.token)
}

async function makeMembers(admin: Api, path: string): Promise<Record<RoleName, Api>> {
  const member = async (role: RoleName): Promise<Api> => {
    const user = await admin.send<Made>('POST', '/v1/users', { login: `${path}-${role}` })
    await admin.send('POST', '/v1/grants', { subject: `user:${user.id}`, role, team_path: path })
    const token = await admin.send<{ token: string }>('POST', '/v1/tokens', { name: role, user_id: user.id })
    return admin.as(token.token)
  }
  return {
    viewer: await member('viewer'),
    operator: await member('operator'),
    editor: await member('editor'),
    owner: await member('owner'),
  }
}

async function spareSource(admin: Api, team: Team): Promise<string[]> {
  const spare = await admin.send<Made>('POST', '/v1/git-webhook-sources', {
    name: `${team.path}-spare`,
    provider: 'github',
    team_path: team.path,
    credential_ref: `secret:${team.path}/webhook`,
    repository_allowlist: ['acme/*'],
  })
  return [team.sourceId, spare.id]
}

async function makeRuns(admin: Api, team: Team, pipeline: string): Promise<string[]> {
  const start = () =>
    admin.send<{ run_id: string }>('POST', `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`, { scope: team.scope })
  return [(await start()).run_id, (await start()).run_id]
}

/** Of a pull request from a fork: it waits for an approval. */
async function makeHeldRun(admin: Api, { scope }: Team, pipeline: string): Promise<string> {
  const sha = '7'.repeat(40)
  const held = await admin.send<{ run_id: string }>('POST', '/v1/git/events', {
    kind: 'pull_request',
    action: 'opened',
    provider: 'github',
    repository: { full_name: 'acme/forked' },
    after: sha,
    pull_request: {
      number: 7,
      title: 'From afar',
      draft: false,
      labels: [],
      head: { ref: 'topic', sha, repository: 'stranger/forked' },
      base: { ref: 'main', sha: '6'.repeat(40), repository: 'acme/forked' },
      from_fork: true,
      merged: false,
      author: null,
      web_url: null,
    },
    pipeline,
    scope,
  })
  return held.run_id
}

/** Enrols a runner by starting the program, and ends it: it is known, and runs nothing. */
async function makeRunner(house: House, admin: Api, name: string, teamPath: string): Promise<string> {
  const runner = await startRunner({ ...house, api: admin }, { name, scopes: [`${teamPath}/nowhere`], teamPath })
  await runner.stop()
  const known = await admin.get<{ id: string; name: string }[]>('/v1/runners')
  return known.find((one) => one.name === name)?.id ?? ''
}

function documentOf(name: string, path: string): string {
  return PIPELINE.replaceAll('NAME', name).replaceAll('TEAM', path)
}
