import { type Tx, uniqueViolation } from '#platform/database'
import { type Caller, checkIfMatch, etagOf, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { secretProblem } from '../errors.ts'
import type { SecretNeeds } from '../index.ts'
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
  readonly value: string
  /** Undefined: as they are. */
  readonly environments: readonly string[] | undefined
  /** Whether an older version goes on working beside the new one. */
  readonly keepPrevious: boolean
  readonly ifMatch: string | string[] | undefined
}

export async function createSecret(
  kit: Kit,
  needs: SecretNeeds,
  origin: RequestOrigin,
  input: NewSecret,
): Promise<store.SecretRow> {
  requireWriter(origin.caller, input.teamPath)
  requireValue(input.value)
  try {
    return await kit.database.transaction(async (tx) => {
      await needs.teams.getTeamByPath(tx, input.teamPath)
      const now = kit.clock.now()
      const row: store.SecretRow = {
        id: kit.ids.next(),
        teamPath: input.teamPath,
        name: input.name,
        version: 1,
        environments: input.environments,
        createdAt: now,
        updatedAt: now,
        lastUsedAt: null,
      }
      await store.insertSecret(tx, row)
      await seal(kit, tx, row, input.value)
      await record(needs, tx, origin, 'secret.created', undefined, row)
      return row
    })
  } catch (error) {
    if (uniqueViolation(error) === 'secrets_name_taken') {
      throw secretProblem(
        'secret.name_taken',
        `${input.teamPath} has a secret called ${input.name} already: PUT a new value to it.`,
        { cause: error },
      )
    }
    throw error
  }
}

/** A new version. At most two live: the one that was used last goes on working, for a sender that is being rotated. */
export async function replaceSecret(
  kit: Kit,
  needs: SecretNeeds,
  origin: RequestOrigin,
  id: string,
  change: SecretChange,
): Promise<store.SecretRow> {
  return kit.database.transaction(async (tx) => {
    const before = await getWritable(tx, origin.caller, id)
    requireValue(change.value)
    checkIfMatch(change.ifMatch, etagOf(before.version))
    const row: store.SecretRow = {
      ...before,
      version: before.version + 1,
      environments: change.environments ?? before.environments,
      updatedAt: kit.clock.now(),
    }
    await store.updateSecret(tx, row)
    const staying = change.keepPrevious ? findStaying(await store.listVersions(tx, [id])) : undefined
    await seal(kit, tx, row, change.value)
    await store.deleteVersionsExcept(tx, id, staying ? [row.version, staying.version] : [row.version])
    await record(needs, tx, origin, 'secret.updated', before, row)
    return row
  })
}

/**
 * The older version stops working at once, for every sender that still signs with it. Throws 404 for one
 * that is not live (any more), 409 for the one in use.
 */
export async function retireVersion(
  kit: Kit,
  needs: SecretNeeds,
  origin: RequestOrigin,
  id: string,
  version: number,
): Promise<void> {
  await kit.database.transaction(async (tx) => {
    const secret = await getWritable(tx, origin.caller, id)
    if (version === secret.version) {
      const detail = `Version ${version} is the one in use: PUT a new value first, or delete the secret.`
      throw secretProblem('secret.version_in_use', detail)
    }
    if (!(await store.deleteVersion(tx, id, version))) {
      throw platformProblem('not_found', `The secret has no live version ${version}.`)
    }
    // As it is: whoever verifies from memory is told by any write of the version in use.
    await store.updateSecret(tx, secret)
    await needs.audit.record(tx, {
      origin,
      action: 'secret.version_retired',
      resource: { kind: 'secret', id },
      teamPath: secret.teamPath,
      before: { ...shown(secret), live_versions: [secret.version, version] },
      after: { ...shown(secret), live_versions: [secret.version] },
    })
  })
}

/** Every version of it. Throws 409 where something would fail from then on. */
export async function deleteSecret(kit: Kit, needs: SecretNeeds, origin: RequestOrigin, id: string): Promise<void> {
  await kit.database.transaction(async (tx) => {
    const before = await getWritable(tx, origin.caller, id)
    const users = await needs.above.findUsers(tx, `secret:${before.teamPath}/${before.name}`)
    if (users.length > 0) {
      const detail = `The secret is used by ${users.join(', ')}. Give them another one first, or PUT a new value here.`
      throw secretProblem('secret.in_use', detail)
    }
    await store.deleteSecret(tx, id)
    await record(needs, tx, origin, 'secret.deleted', before, undefined)
  })
}

async function getWritable(tx: Tx, caller: Caller, id: string): Promise<store.SecretRow> {
  const seen = await getVisibleSecret(tx, caller, id)
  requireWriter(caller, seen.teamPath)
  const secret = await store.lockSecret(tx, id)
  if (!secret) throw platformProblem('not_found', 'The secret was deleted meanwhile.')
  return secret
}

function requireWriter(caller: Caller, teamPath: string): void {
  if (caller.can('secret.write', teamPath)) return
  throw platformProblem('forbidden', `You need the permission secret.write on ${teamPath}.`)
}

function requireValue(value: string): void {
  const fault = findValueFault(value)
  if (!fault) return
  throw platformProblem('invalid_request', `value ${fault}.`, { errors: [{ field: 'value', message: fault }] })
}

async function seal(kit: Kit, tx: Tx, row: store.SecretRow, value: string): Promise<void> {
  await store.insertVersion(tx, {
    secretId: row.id,
    version: row.version,
    sealed: kit.sealer.seal(value, sealContext(row.id, row.version)),
    keyVersion: kit.sealer.keyVersion,
    createdAt: row.updatedAt,
  })
}

async function record(
  needs: SecretNeeds,
  tx: Tx,
  origin: RequestOrigin,
  action: string,
  before: store.SecretRow | undefined,
  after: store.SecretRow | undefined,
): Promise<void> {
  const row = after ?? before
  await needs.audit.record(tx, {
    origin,
    action,
    resource: { kind: 'secret', id: row?.id ?? '' },
    teamPath: row?.teamPath ?? '/',
    before: before && shown(before),
    after: after && shown(after),
  })
}

function shown(row: store.SecretRow): Readonly<Record<string, unknown>> {
  return { team_path: row.teamPath, name: row.name, version: row.version, environments: row.environments }
}
