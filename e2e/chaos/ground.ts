import { randomBytes } from 'node:crypto'
import type { Api } from '../house/api.ts'
import { type Marks, openMarks } from '../house/marks.ts'
import { type SharedHouse, startSharedHouse } from '../house/shared-house.ts'
import { makePipeline, makeTeam, makeTrigger, type Team } from '../house/team.ts'
import { type Documents, writeDocuments } from './pipelines.ts'
import { reportsInto } from './silence.ts'

export const LEASE_SECONDS = 10
const RUNNERS = 3

/** Everything that takes part: two control planes, three runners, a team with pipelines, and a file that tasks write to. */
export interface Ground extends AsyncDisposable {
  readonly shared: SharedHouse
  readonly team: Team
  readonly pipelines: Documents
  readonly viewer: string
  readonly effects: Marks
  readonly secret: string
}

/** `folder`: where a process that is told to writes a report of itself. */
export async function openGround(folder: string): Promise<Ground> {
  const effects = openMarks()
  const shared = await startSharedHouse(2, {
    LEASE_SECONDS: String(LEASE_SECONDS),
    HEARTBEAT_SECONDS: '1',
    NODE_OPTIONS: reportsInto(folder),
  })
  const api = shared.planes[0]?.api
  if (!api) throw new Error('There is no control plane.')
  const team = await makeTeam(api, 'chaos')
  const secret = `hidden-${randomBytes(12).toString('hex')}`
  await api.send('POST', '/v1/secrets', { team_path: team.path, name: 'token', value: secret })
  await api.send('PATCH', `/v1/git-webhook-sources/${team.sourceId}`, { rate_limit: { per_minute: 1_000_000 } })
  const pipelines = await makePipelines(api, team, effects)
  await makeTrigger(api, team, 'on-push', pipelines.quick)
  await makeTrigger(api, team, 'on-push-too', pipelines.mixed)
  for (let at = 0; at < RUNNERS; at += 1) {
    // A task that may not be tried again goes on without its control plane for a while; the default grace is longer.
    await shared.addRunner(`runner-${at + 1}`, { capacity: 3, flags: ['--offline-grace', '30', '--executors', 'host'] })
  }
  return {
    shared,
    team,
    pipelines,
    viewer: await makeViewer(api, team),
    effects,
    secret,
    async [Symbol.asyncDispose]() {
      await shared.stop()
      effects[Symbol.dispose]()
    },
  }
}

async function makePipelines(api: Api, team: Team, effects: Marks): Promise<Documents> {
  const { quick, mixed, failing, gated } = writeDocuments(effects, team.path)
  return {
    quick: await makePipeline(api, team, quick),
    mixed: await makePipeline(api, team, mixed),
    failing: await makePipeline(api, team, failing),
    gated: await makePipeline(api, team, gated),
  }
}

/** The token of somebody who may look, and nothing else. */
async function makeViewer(api: Api, team: Team): Promise<string> {
  const user = await api.send<{ id: string }>('POST', '/v1/users', { login: 'chaos-viewer' })
  await api.send('POST', '/v1/grants', { subject: `user:${user.id}`, role: 'viewer', team_path: team.path })
  const made = await api.send<{ token: string }>('POST', '/v1/tokens', { name: 'chaos', user_id: user.id })
  return made.token
}
