import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { identityRoutes } from '@signalbox/contracts/access/routes'
import type { Owner } from '@signalbox/contracts/http'
import { secretRoutes } from '@signalbox/contracts/secrets/routes'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import type { Client } from '../client/client.ts'
import { ApiProblem } from '../client/problem.ts'
import { savePipeline } from '../commands/pipeline-apply.ts'
import { setSecret } from '../commands/secret.ts'
import { samplePipeline } from './sample-project.ts'

// Everything that the demo needs in the control plane, through the public API. Resources that exist already are used again.

export const TEAM = 'demo'
export const SCOPE = `${TEAM}/local`
export const REPOSITORY = 'demo/bakery'
const SOURCE = 'demo-github'
const TRIGGER = 'push-to-main'
const WEBHOOK_SECRET = 'github-webhook'
const SHOP_TOKEN = 'shop-token'

/** Answers whether it was made now. */
export async function ensureTeam(client: Client): Promise<boolean> {
  const made = await unlessTaken(() => client.call(teamRoutes.createTeam, { body: { path: TEAM, name: 'Demo' } }))
  await unlessTaken(() => client.call(teamRoutes.createEnvironment, { params: { id: TEAM }, body: { name: 'local' } }))
  return made
}

/**
 * Creates two secrets. GitHub would sign with the first, kept in a file beside the demo's repository because the API
 * never returns it. The pipeline uses the second, a token. Answers the webhook's secret.
 */
export async function ensureSecrets(client: Client, webhookSecretFile: string): Promise<string> {
  const secrets = await client.list(secretRoutes.listSecrets, { query: { team_path: TEAM } })
  const known = new Set(secrets.map(({ name }) => name))
  if (!known.has(SHOP_TOKEN))
    await setSecret(client, { team_path: TEAM, name: SHOP_TOKEN }, `shop-${randomBytes(12).toString('hex')}`)
  if (known.has(WEBHOOK_SECRET) && existsSync(webhookSecretFile)) return readFileSync(webhookSecretFile, 'utf8').trim()
  const value = randomBytes(24).toString('hex')
  await setSecret(client, { team_path: TEAM, name: WEBHOOK_SECRET }, value)
  mkdirSync(dirname(webhookSecretFile), { recursive: true })
  writeFileSync(webhookSecretFile, `${value}\n`, { mode: 0o600 })
  return value
}

/** Saves the pipeline unless it is as it should be; answers its identifier and version. */
export async function ensurePipeline(client: Client): Promise<{ identifier: string; version: number }> {
  return (await savePipeline(client, TEAM, samplePipeline(TEAM))).pipeline
}

/** Answers the id of the webhook source. */
export async function ensureSource(client: Client): Promise<string> {
  const known = await client.list(sourceRoutes.listSources)
  const found = known.find(({ name }) => name === SOURCE)
  if (found) {
    const params = { sourceID: found.id }
    await ownAgain(client, found.owner, () => client.call(sourceRoutes.updateSource, { params, body: {} }))
    return found.id
  }
  const body = {
    name: SOURCE,
    provider: 'github',
    team_path: TEAM,
    auth_mode: 'signature',
    credential_ref: `secret:${TEAM}/${WEBHOOK_SECRET}`,
    repository_allowlist: [REPOSITORY],
  } as const
  return (await client.call(sourceRoutes.createSource, { body })).id
}

export async function ensureTrigger(client: Client, sourceId: string, pipelineIdentifier: string): Promise<void> {
  const known = await client.list(triggerRoutes.listTriggers, { query: { team_path: TEAM } })
  const found = known.find(({ name }) => name === TRIGGER)
  if (found) {
    const params = { id: found.id }
    return ownAgain(client, found.owner, () => client.call(triggerRoutes.updateTrigger, { params, body: {} }))
  }
  const body = {
    name: TRIGGER,
    team_path: TEAM,
    source_id: sourceId,
    repositories: [REPOSITORY],
    events: ['push'],
    branches: ['main'],
    pipeline: pipelineIdentifier,
    scope: SCOPE,
  } as const
  await client.call(triggerRoutes.createTrigger, { body })
}

/** Where the bootstrap token made it and was revoked since, nothing starts on its behalf: whoever writes it last owns it. */
async function ownAgain(client: Client, owner: Owner, write: () => Promise<unknown>): Promise<void> {
  if (owner.kind !== 'bootstrap') return
  const { kind } = await client.call(identityRoutes.getMe)
  if (kind !== 'bootstrap') await write()
}

/** Whether the write was done; false where a former start has done it. */
async function unlessTaken(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 409) return false
    throw error
  }
}
