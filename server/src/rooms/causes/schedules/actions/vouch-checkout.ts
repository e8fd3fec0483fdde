import { fullRef } from '@signalbox/contracts/repository'
import type { Caller } from '#platform/http'
import { Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import type { Schedule } from '../store/schedules.ts'
import { invalid } from './check-schedule.ts'

type Wanted = Pick<Schedule, 'pipeline' | 'variables' | 'repository' | 'ref'> & { readonly scope: string | undefined }

/** What a caller has found by itself. */
export type Vouched = Pick<Wanted, 'pipeline' | 'repository' | 'ref'>

/**
 * A schedule checks out through the sources of its owner. So a token with limits finds the commit itself before it writes
 * one: that no source within its limits reads is refused by its field. Over the network: call it before the transaction, and
 * `requireVouched` in it. What else is wrong is left to the checks in the transaction.
 */
export async function vouchCheckout(means: Means, caller: Caller, wanted: Wanted): Promise<Vouched | undefined> {
  const { pipeline: identifier, scope, variables, repository } = wanted
  const ref = fullRef(wanted.ref)
  if (!caller.token?.limits || repository === null || ref === undefined) return undefined
  const start = { pipeline: identifier, scope, variables, namesRepository: true }
  const teamPath = await findTeamPath(means, caller, start)
  if (teamPath === undefined) return undefined
  const found = await means.runs.findCheckout(caller, { repository, ref, teamPath })
  if ('problem' in found) throw invalid([{ field: found.field, message: found.problem }])
  return { pipeline: identifier, repository, ref: wanted.ref }
}

async function findTeamPath(
  means: Means,
  caller: Caller,
  start: Parameters<Means['runs']['requireStart']>[2],
): Promise<string | undefined> {
  try {
    return (await means.runs.requireStart(means.database.kysely, caller, start)).pipeline.teamPath
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** Throws version_conflict (409) where a token with limits would write a checkout that it has not found. */
export function requireVouched(caller: Caller, wanted: Vouched, vouched: Vouched | undefined): void {
  if (!caller.token?.limits || wanted.repository === null) return
  const { pipeline, repository, ref } = wanted
  if (vouched?.pipeline === pipeline && vouched.repository === repository && vouched.ref === ref) return
  throw platformProblem('version_conflict', 'The schedule has changed meanwhile: read it again, then write.')
}
