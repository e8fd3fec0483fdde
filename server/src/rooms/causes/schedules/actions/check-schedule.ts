import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { describeFaults, type FieldError } from '#platform/problems'
import { scheduleProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { type CompiledTiming, compileTiming, findDefinitionFaults, timingOf } from '../rules/index.ts'
import type { ScheduleDefinition } from './read-document.ts'

/** A definition that may be stored. */
export interface CheckedSchedule {
  readonly timing: CompiledTiming
  /** The one that was given, or the only one of the team. */
  readonly scope: string
}

/**
 * Checks what somebody wrote: everything that is wrong at once, each with its field (400); then whether the caller may
 * start what the schedule starts (400 for what is hidden or absent, 403).
 */
export async function checkSchedule(
  means: Means,
  db: Queryable,
  caller: Caller,
  given: ScheduleDefinition & { readonly id: string },
): Promise<CheckedSchedule> {
  const compiled = compileTiming(timingOf(given))
  const faults: FieldError[] = [...findDefinitionFaults(given), ...(compiled.ok ? [] : compiled.faults)]
  for (const [field, path] of [
    ['path', given.teamPath],
    ['run_team_path', given.runTeamPath],
  ] as const) {
    if (path === null) continue
    const team = await means.teams.findTeam(db, path)
    const isSeen = field === 'path' || caller.can('team.read', path)
    if (!team || !isSeen) faults.push({ field, message: `there is no team ${path} that you may see` })
  }
  refuse(faults)
  if (!compiled.ok) throw scheduleProblem('schedule.invalid', describeFaults(compiled.faults))
  const { scope } = await means.runs.requireStart(db, caller, {
    pipeline: given.pipeline,
    scope: given.scope,
    variables: given.variables,
    namesRepository: given.repository !== null,
  })
  return { timing: compiled.timing, scope }
}

/** Throws schedule.invalid (400) where there are faults. */
export function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw scheduleProblem('schedule.invalid', describeFaults(errors), { errors: [...errors] })
}
