import type { SubjectListQuery } from '@signalbox/contracts/access'
import { uniqueViolation } from '#platform/database'
import {
  type Caller,
  checkIfMatch,
  etagOf,
  type Page,
  pageOf,
  type RequestOrigin,
  requirePermission,
} from '#platform/http'
import { platformProblem } from '#platform/problems'
import { accessProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import * as store from '../store/service-accounts.ts'
import { changeAccess, takeAccess } from './change-access.ts'

export async function createServiceAccount(
  means: Means,
  origin: RequestOrigin,
  input: { readonly teamPath: string; readonly name: string; readonly disabled: boolean },
): Promise<store.ServiceAccountRow> {
  requirePermission(origin.caller, 'service_account.write', input.teamPath)
  const now = means.clock.now()
  const row: store.ServiceAccountRow = {
    id: means.ids.next(),
    teamPath: input.teamPath,
    name: input.name,
    disabledAt: input.disabled ? now : null,
    createdAt: now,
  }
  try {
    await changeAccess(means, async (tx) => {
      await means.teams.getTeamByPath(tx, input.teamPath)
      await store.insertServiceAccount(tx, row)
      await means.audit.record(tx, { origin, ...about(row), action: 'service_account.created', after: shown(row) })
    })
    return row
  } catch (error) {
    if (uniqueViolation(error) !== 'service_accounts_name_taken') throw error
    const detail = `${input.teamPath} has a service account called ${input.name} already.`
    throw accessProblem('service_account.name_taken', detail, { cause: error })
  }
}

export interface ServiceAccountChange {
  readonly id: string
  /** Undefined: as it is. */
  readonly disabled: boolean | undefined
}

/** Disables or enables it; a disabled one is nobody, with every token that it has. */
export async function updateServiceAccount(
  means: Means,
  origin: RequestOrigin,
  { id, disabled }: ServiceAccountChange,
): Promise<store.ServiceAccountRow> {
  const seen = await getVisibleServiceAccount(means, origin.caller, id)
  requirePermission(origin.caller, 'service_account.write', seen.teamPath)
  return takeAccess(means, async (tx) => {
    // Nobody else changes it meanwhile: `takeAccess` lets one change of access happen at a time.
    const before = await store.findServiceAccount(tx, id)
    if (!before) throw platformProblem('not_found', 'The service account was deleted meanwhile.')
    checkIfMatch(origin.ifMatch, serviceAccountEtag(before))
    if (disabled === undefined || disabled === (before.disabledAt !== null)) return before
    const row = { ...before, disabledAt: disabled ? means.clock.now() : null }
    await store.setDisabled(tx, id, row.disabledAt)
    const states = { before: shown(before), after: shown(row) }
    await means.audit.record(tx, { origin, ...about(row), action: 'service_account.updated', ...states })
    return row
  })
}

/** A service account changes only by being disabled, so an account that is enabled again is as it was before. */
export function serviceAccountEtag(row: store.ServiceAccountRow): string {
  return etagOf(row.disabledAt ?? row.createdAt)
}

export async function deleteServiceAccount(means: Means, origin: RequestOrigin, id: string): Promise<void> {
  const before = await getVisibleServiceAccount(means, origin.caller, id)
  requirePermission(origin.caller, 'service_account.write', before.teamPath)
  await takeAccess(means, async (tx) => {
    if (!(await store.deleteServiceAccount(tx, id)))
      throw platformProblem('not_found', 'The service account was deleted meanwhile.')
    await means.audit.record(tx, { origin, ...about(before), action: 'service_account.deleted', before: shown(before) })
  })
}

export async function getVisibleServiceAccount(
  means: Means,
  caller: Caller,
  id: string,
): Promise<store.ServiceAccountRow> {
  const account = await store.findServiceAccount(means.database.kysely, id)
  const visible =
    caller.can('service_account.read', account?.teamPath ?? '/') ||
    (caller.kind === 'service_account' && caller.id === id)
  if (!account || !visible) {
    throw platformProblem('not_found', 'There is no such service account, or you may not see it.')
  }
  return account
}

export function listServiceAccounts(
  means: Means,
  caller: Caller,
  query: SubjectListQuery,
): Promise<Page<store.ServiceAccountRow>> {
  const prefixes = caller.prefixes('service_account.read')
  return pageOf(query, (window) => store.listServiceAccounts(means.database.kysely, prefixes, window))
}

function about({ id, teamPath }: store.ServiceAccountRow) {
  return { resource: { kind: 'service_account', id }, teamPath }
}

function shown(row: store.ServiceAccountRow): Readonly<Record<string, unknown>> {
  return { team_path: row.teamPath, name: row.name, disabled: row.disabledAt !== null }
}
