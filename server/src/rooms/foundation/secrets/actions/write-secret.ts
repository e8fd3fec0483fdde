import { type Tx, uniqueViolation } from '#platform/database'
import { type Caller, checkIfMatch, etagOf, type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { secretProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { findStaying, findValueFault, sealContext } from '../rules.ts'
import * as store from '../store.ts'
import { getVisibleSecret } from './get-secret.ts'

export interface NewSecret {
  readonly teamPath: string
  readonly name: string
  readonly value: string
  readonly environments: readonly string[]
}

export interface SecretChange {
  readonly id: string
  readonly value: string
  /** Undefined: as they are. */
  readonly environments: readonly string[] | undefined
  /** Whether an older version goes on working beside the new one. */
  readonly keepPrevious: boolean
}

export async function createSecret(means: Means, origin: RequestOrigin, input: NewSecret): Promise<store.SecretRow> {
  requirePermission(origin.caller, 'secret.write', input.teamPath)
  requireValue(input.value)
  try {
    return await changeSecrets(means, async (tx) => {
      await means.teams.getTeamByPath(tx, input.teamPath)
      const now = means.clock.now()
      const row: store.SecretRow = {
        id: means.ids.next(),
        teamPath: input.teamPath,
        name: input.name,
        version: 1,
        environments: input.environments,
        createdAt: now,
        updatedAt: now,
        lastUsedAt: null,
      }
      await store.insertSecret(tx, row)
      await seal(means, tx, row, input.value)
      await means.audit.record(tx, { origin, ...about(row), action: 'secret.created', after: shown(row) })
      return row
    })
  } catch (error) {
    if (uniqueViolation(error) !== 'secrets_name_taken') throw error
    const detail = `${input.teamPath} has a secret called ${input.name} already: PUT a new value to it.`
    throw secretProblem('secret.name_taken', detail, { cause: error })
  }
}

/** A new version. At most two live: the version that was used last goes on working, for a sender that is being rotated. */
export async function replaceSecret(
  means: Means,
  origin: RequestOrigin,
  change: SecretChange,
): Promise<store.SecretRow> {
  return changeSecrets(means, async (tx) => {
    const before = await getWritable(tx, origin.caller, change.id)
    requireValue(change.value)
    checkIfMatch(origin.ifMatch, etagOf(before.version))
    const row: store.SecretRow = {
      ...before,
      version: before.version + 1,
      environments: change.environments ?? before.environments,
      updatedAt: means.clock.now(),
    }
    await store.updateSecret(tx, row)
    const staying = change.keepPrevious ? findStaying(await store.listVersions(tx, [row.id])) : undefined
    await seal(means, tx, row, change.value)
    await store.deleteVersionsExcept(tx, row.id, staying ? [row.version, staying.version] : [row.version])
    const states = { before: shown(before), after: shown(row) }
    await means.audit.record(tx, { origin, ...about(row), action: 'secret.updated', ...states })
    return row
  })
}

/**
 * The older version stops working at once, for every sender that still signs with it. Throws 404 for a
 * version that is not live, 409 for the version in use.
 */
export async function retireVersion(means: Means, origin: RequestOrigin, id: string, version: number): Promise<void> {
  await changeSecrets(means, async (tx) => {
    const secret = await getWritable(tx, origin.caller, id)
    if (version === secret.version) {
      const detail = `Version ${version} is the one in use: PUT a new value first, or delete the secret.`
      throw secretProblem('secret.version_in_use', detail)
    }
    if (!(await store.deleteVersion(tx, id, version))) {
      throw platformProblem('not_found', `The secret has no live version ${version}.`)
    }
    // The row stays as it is. The write tells the processes that verify from memory.
    await store.updateSecret(tx, secret)
    await means.audit.record(tx, {
      origin,
      ...about(secret),
      action: 'secret.version_retired',
      before: { ...shown(secret), live_versions: [secret.version, version] },
      after: { ...shown(secret), live_versions: [secret.version] },
    })
  })
}

/** Deletes every version. Throws 409 where something would fail from then on. */
export async function deleteSecret(means: Means, origin: RequestOrigin, id: string): Promise<void> {
  await changeSecrets(means, async (tx) => {
    const before = await getWritable(tx, origin.caller, id)
    const users = await means.above.findUsers(tx, `secret:${before.teamPath}/${before.name}`)
    if (users.length > 0) {
      const detail = `The secret is used by ${users.join(', ')}. Give them another one first, or PUT a new value here.`
      throw secretProblem('secret.in_use', detail)
    }
    await store.deleteSecret(tx, id)
    await means.audit.record(tx, { origin, ...about(before), action: 'secret.deleted', before: shown(before) })
  })
}

function changeSecrets<T>(means: Means, work: (tx: Tx) => Promise<T>): Promise<T> {
  return means.database.transaction(work, { afterCommit: () => means.above.secretsChanged() })
}

async function getWritable(tx: Tx, caller: Caller, id: string): Promise<store.SecretRow> {
  const seen = await getVisibleSecret(tx, caller, id)
  requirePermission(caller, 'secret.write', seen.teamPath)
  const secret = await store.lockSecret(tx, id)
  if (!secret) throw platformProblem('not_found', 'The secret was deleted meanwhile.')
  return secret
}

function requireValue(value: string): void {
  const fault = findValueFault(value)
  if (!fault) return
  throw platformProblem('invalid_request', `value ${fault}.`, { errors: [{ field: 'value', message: fault }] })
}

async function seal(means: Means, tx: Tx, row: store.SecretRow, value: string): Promise<void> {
  await store.insertVersion(tx, {
    secretId: row.id,
    version: row.version,
    sealed: means.sealer.seal(value, sealContext(row.id, row.version)),
    keyVersion: means.sealer.keyVersion,
    createdAt: row.updatedAt,
  })
}

function about({ id, teamPath }: store.SecretRow) {
  return { resource: { kind: 'secret', id }, teamPath }
}

function shown(row: store.SecretRow): Readonly<Record<string, unknown>> {
  return { team_path: row.teamPath, name: row.name, version: row.version, environments: row.environments }
}
