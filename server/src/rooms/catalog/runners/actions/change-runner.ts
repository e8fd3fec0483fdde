import type { RunnerQuery } from '@signalbox/contracts/runners'
import {
  type Caller,
  checkIfMatch,
  etagOf,
  laterThan,
  type Page,
  type RequestOrigin,
  readCursor,
  toPage,
} from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import { findScopeFaults, type Runner } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { refuse } from './create-enrollment.ts'

const DEFAULT_LIMIT = 50

export async function listVisibleRunners(kit: Kit, caller: Caller, query: RunnerQuery): Promise<Page<Runner>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const rows = await store.listRunners(kit.database.kysely, {
    prefixes: caller.prefixes('runner.read'),
    teamPath: query.team_path,
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
}

/** 404 when it does not exist or the caller may not see it: the two look alike. */
export async function getVisibleRunner(kit: Kit, caller: Caller, id: string): Promise<Runner> {
  const runner = await store.findRunner(kit.database.kysely, id)
  if (!caller.can('runner.read', runner?.teamPath ?? '/') || !runner) throw unknownRunner(id)
  return runner
}

/** What stays undefined stays as it is. */
export interface RunnerChanges {
  readonly name: string | undefined
  readonly scopes: readonly string[] | undefined
  readonly labels: readonly string[] | undefined
  readonly enabled: boolean | undefined
  readonly draining: boolean | undefined
}

/** Counts for the next assignment; attempts in hand go on. */
export async function changeRunner(
  kit: Kit,
  needs: { readonly audit: Audit },
  origin: RequestOrigin,
  input: { readonly id: string; readonly ifMatch: string | string[] | undefined; readonly changes: RunnerChanges },
): Promise<Runner> {
  const { id, changes } = input
  await requireWritable(kit, origin.caller, id)
  return kit.database.transaction(async (tx) => {
    const before = await store.lockRunner(tx, id)
    if (!before) throw unknownRunner(id)
    checkIfMatch(input.ifMatch, etagOf(before.updatedAt))
    if (changes.scopes) refuse(findScopeFaults(changes.scopes, before.teamPath))
    const after: Runner = {
      ...before,
      name: changes.name ?? before.name,
      scopes: changes.scopes ?? before.scopes,
      labels: changes.labels ?? before.labels,
      enabled: changes.enabled ?? before.enabled,
      draining: changes.draining ?? before.draining,
      updatedAt: laterThan(before.updatedAt, kit.clock.now()),
    }
    await store.updateRunner(tx, id, after)
    await needs.audit.record(tx, {
      origin,
      action: 'runner.updated',
      resource: { kind: 'runner', id },
      teamPath: after.teamPath,
      before: auditedOf(before),
      after: auditedOf(after),
    })
    return after
  })
}

/** Its credential is good for nothing from now on; attempts in hand are lost when their leases end. */
export async function removeRunner(
  kit: Kit,
  needs: { readonly audit: Audit },
  origin: RequestOrigin,
  input: { readonly id: string; readonly ifMatch: string | string[] | undefined },
): Promise<void> {
  const { id } = input
  await requireWritable(kit, origin.caller, id)
  await kit.database.transaction(async (tx) => {
    const before = await store.lockRunner(tx, id)
    if (!before) throw unknownRunner(id)
    checkIfMatch(input.ifMatch, etagOf(before.updatedAt))
    await store.markRemoved(tx, id, kit.clock.now())
    await needs.audit.record(tx, {
      origin,
      action: 'runner.removed',
      resource: { kind: 'runner', id },
      teamPath: before.teamPath,
      before: auditedOf(before),
    })
  })
}

async function requireWritable(kit: Kit, caller: Caller, id: string): Promise<void> {
  const { teamPath } = await getVisibleRunner(kit, caller, id)
  if (!caller.can('runner.write', teamPath)) {
    throw platformProblem('forbidden', `You need runner.write on ${teamPath} to change this runner.`)
  }
}

function auditedOf(runner: Runner): unknown {
  const { name, scopes, labels, enabled, draining } = runner
  return { name, scopes, labels, enabled, draining }
}

function unknownRunner(id: string): Problem {
  return platformProblem('not_found', `There is no runner ${id} that you may see.`)
}
