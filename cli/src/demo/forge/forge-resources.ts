import { gitAppRoutes } from '@signalbox/contracts/git-apps/routes'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import type { Client } from '../../client/client.ts'
import { setSecret } from '../../commands/secret.ts'
import { CommandFailed } from '../../errors.ts'
import { ensureTeam, SCOPE, TEAM } from '../resources.ts'
import { until } from './forge-control.ts'
import { REPOSITORY, SECRET } from './project.ts'

// What the demo needs in the control plane, through the public API.

export const GITHUB = { provider: 'github' } as const
const TRIGGER = 'pull-requests-of-the-forge'

/** Makes the team and its secret, and forgets the app of an earlier demo, whose forge is gone. Throws where the app is a real one. */
export async function prepareTeam(client: Client): Promise<void> {
  const { app_id: appId, base_url: baseUrl } = await client.call(gitAppRoutes.getGitApp, { params: GITHUB })
  if (appId !== undefined) {
    if (baseUrl === undefined || new URL(baseUrl).hostname !== '127.0.0.1') {
      const remedy = 'The demo registers an app of its own: choose another --data-dir.'
      throw new CommandFailed('conflict', `An app of ${baseUrl} is registered here.`, remedy)
    }
    await client.call(gitAppRoutes.deleteGitApp, { params: GITHUB })
  }
  await ensureTeam(client)
  const query = { team_path: TEAM }
  for (const { id, name } of await client.list(triggerRoutes.listTriggers, { query })) {
    if (name === TRIGGER) await client.call(triggerRoutes.deleteTrigger, { params: { id } })
  }
  const credential = { ...query, credential_ref: `app:${GITHUB.provider}` }
  for (const { id } of await client.list(sourceRoutes.listSources, { query: credential })) {
    await client.call(sourceRoutes.deleteSource, { params: { sourceID: id } })
  }
  await storeSession(client, 'closed')
}

/** The session with the shop that tasks get from now on. */
export async function storeSession(client: Client, state: 'open' | 'closed'): Promise<void> {
  await setSecret(client, { team_path: TEAM, name: SECRET }, `${state}-${crypto.randomUUID()}`)
}

/** A new commit of a pull request starts the pipeline, and the pull request gets a comment. Comments may give commands. */
export async function connectPulls(client: Client, sourceId: string, pipeline: string): Promise<void> {
  const params = { sourceID: sourceId }
  await client.call(sourceRoutes.updateSource, { params, body: { comment_commands: true } })
  const body = {
    name: TRIGGER,
    team_path: TEAM,
    source_id: sourceId,
    repositories: [REPOSITORY],
    events: ['pull_request'],
    report_comment: true,
    pipeline,
    scope: SCOPE,
  } as const
  await client.call(triggerRoutes.createTrigger, { body })
}

/** Does something while no runner takes a new task; afterwards they take them again, whatever came of it. */
export async function withoutRunners<T>(client: Client, work: () => Promise<T>): Promise<T> {
  // The runner of this machine enrols while the first steps are told.
  const runners = await until('The runner', async () => {
    const found = await client.list(runnerRoutes.listRunners)
    return found.length > 0 ? found : undefined
  })
  const setAll = async (enabled: boolean): Promise<void> => {
    for (const { id } of runners) await client.call(runnerRoutes.updateRunner, { params: { id }, body: { enabled } })
  }
  await setAll(false)
  try {
    return await work()
  } finally {
    await setAll(true)
  }
}
