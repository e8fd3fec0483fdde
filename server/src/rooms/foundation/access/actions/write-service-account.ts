import type { SubjectListQuery } from '@signalbox/contracts/access'
import { uniqueViolation } from '#platform/database'
import { type Caller, checkIfMatch, etagOf, type Page, type RequestOrigin, readCursor, toPage } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { accessProblem } from '../errors.ts'
import * as store from '../store/service-accounts.ts'
import { type AccessMeans, changeAccess, takeAccess } from './change-access.ts'

export type { ServiceAccountRow } from '../store/service-accounts.ts'

const DEFAULT_LIMIT = 50

export async function createServiceAccount(
  means: AccessMeans,
  origin: RequestOrigin,
  input: { readonly teamPath: string; readonly name: string; readonly disabled: boolean },
): Promise<store.ServiceAccountRow> {
  requireWriter(origin.caller, input.teamPath)
  const now = means.kit.clock.now()
  const row: store.ServiceAccountRow = {
    id: means.kit.ids.next(),
    teamPath: input.teamPath,
    name: input.name,
    disabledAt: input.disabled ? now : null,
    createdAt: now,
  }
  try {
    await changeAccess(means, async (tx) => {
      await means.teams.getTeamByPath(tx, input.teamPath)
      await store.insertServiceAccount(tx, row)
      await record(means, tx, origin, 'service_account.created', undefined, row)
    })
    return row
  } catch (error) {
    if (uniqueViolation(error) !== 'service_accounts_name_taken') throw error
    const detail = `${input.teamPath} has a service account called ${input.name} already.`
    throw accessProblem('service_account.name_taken', detail, { cause: error })
  }
}

export interface ServiceAccountChange {
  /** Undefined: as it is. */
  readonly disabled: boolean | undefined
  readonly ifMatch: string | string[] | undefined
}

/** Disables or enables it; a disabled one is nobody, with every token that it has. */
export async function changeServiceAccount(
  means: AccessMeans,
  origin: RequestOrigin,
  id: string,
  { disabled, ifMatch }: ServiceAccountChange,
): Promise<store.ServiceAccountRow> {
  const seen = await getVisibleServiceAccount(means, origin.caller, id)
  requireWriter(origin.caller, seen.teamPath)
  return takeAccess(means, async (tx) => {
    // Nobody else changes it meanwhile: `takeAccess` lets one change of access happen at a time.
    const before = await store.findServiceAccount(tx, id)
    if (!before) throw platformProblem('not_found', 'The service account was deleted meanwhile.')
    checkIfMatch(ifMatch, serviceAccountEtag(before))
    if (disabled === undefined || disabled === (before.disabledAt !== null)) return before
    const row = { ...before, disabledAt: disabled ? means.kit.clock.now() : null }
    await store.setDisabled(tx, id, row.disabledAt)
    await record(means, tx, origin, 'service_account.updated', before, row)
    return row
  })
}

/** All that can change of it is whether it is disabled, so one that is enabled again is what it was before. */
export function serviceAccountEtag(row: store.ServiceAccountRow): string {
  return etagOf(row.disabledAt ?? row.createdAt)
}

export async function deleteServiceAccount(means: AccessMeans, origin: RequestOrigin, id: string): Promise<void> {
  const before = await getVisibleServiceAccount(means, origin.caller, id)
  requireWriter(origin.caller, before.teamPath)
  await takeAccess(means, async (tx) => {
    await store.deleteServiceAccount(tx, id)
    await record(means, tx, origin, 'service_account.deleted', before, undefined)
  })
}

export async function getVisibleServiceAccount(
  means: AccessMeans,
  caller: Caller,
  id: string,
): Promise<store.ServiceAccountRow> {
  const account = await store.findServiceAccount(means.kit.database.kysely, id)
  const visible =
    caller.can('service_account.read', account?.teamPath ?? '/') ||
    (caller.kind === 'service_account' && caller.id === id)
  if (!account || !visible) {
    throw platformProblem('not_found', 'There is no such service account, or you may not see it.')
  }
  return account
}

export async function listServiceAccounts(
  means: AccessMeans,
  caller: Caller,
  query: SubjectListQuery,
): Promise<Page<store.ServiceAccountRow>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const rows = await store.listServiceAccounts(means.kit.database.kysely, {
    prefixes: caller.prefixes('service_account.read'),
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
}

function requireWriter(caller: Caller, teamPath: string): void {
  if (caller.can('service_account.write', teamPath)) return
  throw platformProblem('forbidden', `You need the permission service_account.write on ${teamPath}.`)
}

async function record(
  means: AccessMeans,
  tx: Parameters<AccessMeans['audit']['record']>[0],
  origin: RequestOrigin,
  action: string,
  before: store.ServiceAccountRow | undefined,
  after: store.ServiceAccountRow | undefined,
): Promise<void> {
  const row = after ?? before
  await means.audit.record(tx, {
    origin,
    action,
    resource: { kind: 'service_account', id: row?.id ?? '' },
    teamPath: row?.teamPath ?? '/',
    before: before && { team_path: before.teamPath, name: before.name, disabled: before.disabledAt !== null },
    after: after && { team_path: after.teamPath, name: after.name, disabled: after.disabledAt !== null },
  })
}
