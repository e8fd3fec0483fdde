import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { describeFaults, type FieldError, Problem } from '#platform/problems'
import { scheduleProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import {
  type CompiledTiming,
  compileTiming,
  type Expected,
  findDefinitionFaults,
  findSilence,
  timingOf,
} from '../rules/index.ts'
import { findDecidedUntil } from './find-decided.ts'
import type { ScheduleDefinition } from './read-document.ts'

/** What somebody wrote. */
export interface GivenSchedule {
  readonly definition: ScheduleDefinition & { readonly id: string }
  /** It must fire after this instant, and none that was decided again; undefined: it may be over. */
  readonly firesAfter: Date | undefined
}

/** A definition that may be stored. */
export interface CheckedSchedule {
  /** The one that was given, or the only one of the team. */
  readonly scope: string
  /** The first instant after `firesAfter` that is not decided; null where that is not given. */
  readonly next: Date | null
}

/**
 * Checks what somebody wrote: everything that is wrong at once, each with its field (400). What is hidden reads as what is
 * absent. Then whether the caller may start what the schedule starts (403).
 */
export async function checkSchedule(
  means: Means,
  db: Queryable,
  caller: Caller,
  { definition, firesAfter }: GivenSchedule,
): Promise<CheckedSchedule> {
  const compiled = compileTiming(timingOf(definition))
  const faults: FieldError[] = findDefinitionFaults(definition)
  const expected = compiled.ok ? await findExpected(db, compiled.timing, firesAfter) : undefined
  const silence = compiled.ok ? findSilence(compiled.timing, expected) : undefined
  if (!compiled.ok) faults.push(...compiled.faults)
  if (silence) faults.push(silence)
  faults.push(...(await findTeamFaults(means, db, caller, definition)))
  const start = await judgeStart(means, db, caller, definition)
  const known = new Set(faults.map(({ field }) => field))
  if ('faults' in start) faults.push(...start.faults.filter(({ field }) => !known.has(field)))
  refuse(faults)
  if ('forbidden' in start) throw start.forbidden
  if (!compiled.ok || !('scope' in start)) throw new Error('Faults that name nothing')
  const next = expected && compiled.timing.next(expected.after)
  return { scope: start.scope, next: next?.planned ?? null }
}

async function findExpected(
  db: Queryable,
  compiled: CompiledTiming,
  now: Date | undefined,
): Promise<Expected | undefined> {
  return now && { now, after: await findDecidedUntil(db, compiled, now) }
}

async function findTeamFaults(
  means: Means,
  db: Queryable,
  caller: Caller,
  { teamPath, runTeamPath }: ScheduleDefinition,
): Promise<FieldError[]> {
  const faults: FieldError[] = []
  if (!(await means.teams.findTeam(db, teamPath))) faults.push(noTeam('path', teamPath))
  if (runTeamPath === null) return faults
  const hears = await means.teams.findTeam(db, runTeamPath)
  const isSeen = caller.can('team.read', runTeamPath)
  if (!hears || !isSeen) faults.push(noTeam('run_team_path', runTeamPath))
  return faults
}

export function noTeam(field: string, path: string): FieldError {
  return { field, message: `there is no team ${path} that you may see` }
}

type StartVerdict =
  | { readonly scope: string }
  | { readonly faults: readonly FieldError[] }
  | { readonly forbidden: Problem }

/** Whether the caller may start it; a scope that is hidden or absent is told also where the pipeline is. */
async function judgeStart(
  means: Means,
  db: Queryable,
  caller: Caller,
  { pipeline, scope, variables, repository }: ScheduleDefinition,
): Promise<StartVerdict> {
  const faults: FieldError[] = []
  if (scope !== undefined && (await means.access.judgeScope(caller, scope)) === 'unknown') {
    faults.push({ field: 'scope', message: `there is no scope ${scope} that you may use` })
  }
  try {
    const wanted = { pipeline, scope, variables, namesRepository: repository !== null }
    const start = await means.runs.requireStart(db, caller, wanted)
    return { scope: start.scope }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'run.not_startable') {
      const known = new Set(faults.map(({ field }) => field))
      return { faults: [...faults, ...error.errors.filter(({ field }) => !known.has(field))] }
    }
    if (error.code !== 'forbidden') throw error
    return faults.length > 0 ? { faults } : { forbidden: error }
  }
}

/** Throws schedule.invalid (400) where there are faults. */
export function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(errors)
}

export function invalid(errors: readonly FieldError[]): Problem {
  return scheduleProblem('schedule.invalid', describeFaults(errors), { errors: [...errors] })
}
