import { randomBytes } from 'node:crypto'
import { type Push as DeliveredPush, githubPush } from '../../cli/src/demo/github-push.ts'
import type { Api } from './api.ts'

/** A team with an environment, a secret, a source and a trigger: what a push needs to become a run. */
export interface Team {
  readonly path: string
  readonly scope: string
  readonly sourceId: string
  readonly webhookSecret: string
}

export const REPOSITORY = 'acme/shop'

export async function makeTeam(api: Api, path: string): Promise<Team> {
  const webhookSecret = randomBytes(16).toString('hex')
  await api.send('POST', '/v1/teams', { path })
  const team = encodeURIComponent(path)
  await api.send('POST', `/v1/teams/${team}/environments`, { name: 'test' })
  await api.send('POST', '/v1/secrets', { team_path: path, name: 'webhook', value: webhookSecret })
  const source = await api.send<{ id: string }>('POST', '/v1/git-webhook-sources', {
    name: `${path}-github`,
    provider: 'github',
    team_path: path,
    auth_mode: 'signature',
    credential_ref: `secret:${path}/webhook`,
    repository_allowlist: [REPOSITORY],
  })
  return { path, scope: `${path}/test`, sourceId: source.id, webhookSecret }
}

export async function makePipeline(api: Api, team: Team, document: string): Promise<string> {
  const pipeline = await api.send<{ identifier: string }>('POST', '/v1/pipelines', { team_path: team.path, document })
  return pipeline.identifier
}

export async function makeTrigger(api: Api, team: Team, name: string, pipeline: string): Promise<void> {
  await api.send('POST', '/v1/triggers', {
    name,
    team_path: team.path,
    source_id: team.sourceId,
    repositories: [REPOSITORY],
    events: ['push'],
    pipeline,
    scope: team.scope,
  })
}

export type Push = Pick<DeliveredPush, 'before' | 'after'> & Partial<DeliveredPush>

/** Posts a push delivery, signed as GitHub signs it; answers the status and the delivery's id. */
export async function deliverPush(
  api: Api,
  team: Team,
  cloneUrl: string,
  push: Push,
): Promise<{ status: number; deliveryId: string }> {
  const deliveryId = push.deliveryId ?? crypto.randomUUID()
  const signed = githubPush({
    repository: { id: 4711, fullName: REPOSITORY, cloneUrl, defaultBranch: 'main' },
    ref: 'refs/heads/main',
    commits: [],
    secret: team.webhookSecret,
    ...push,
    deliveryId,
  })
  const response = await fetch(`${api.url}/v1/git/webhooks/${team.sourceId}`, {
    method: 'POST',
    headers: signed.headers,
    body: signed.body,
  })
  await response.arrayBuffer()
  return { status: response.status, deliveryId }
}
