import { findUndeclaredVariables } from '@signalbox/pipeline/facts'
import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { describeFaults, type FieldError } from '#platform/problems'
import { externalTriggerProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import type { Definition } from './read-document.ts'

/**
 * Checks what somebody wrote, each fault with its field (400); then whether the caller may start what it starts (400 for
 * what is hidden or absent, 403). Answers the scope: the one that was given, or the only one of the team.
 */
export async function checkDefinition(means: Means, db: Queryable, caller: Caller, given: Definition): Promise<string> {
  const faults: FieldError[] = []
  for (const [field, path] of [
    ['team_path', given.teamPath],
    ['run_team_path', given.runTeamPath],
  ] as const) {
    if (path === null) continue
    const team = await means.teams.findTeam(db, path)
    const isSeen = field === 'team_path' || caller.can('team.read', path)
    if (!team || !isSeen) faults.push({ field, message: `there is no team ${path} that you may see` })
  }
  refuse(faults)
  const { pipeline, scope } = await requireStart(means, db, caller, given)
  refuse(
    findUndeclaredVariables(pipeline, given.allowedVariables).map(({ name, message }) => ({
      field: `allowed_variables.${given.allowedVariables.indexOf(name)}`,
      message: `${name} ${message}`,
    })),
  )
  return scope
}

/** Throws run.not_startable (400) and forbidden (403). */
export function requireStart(
  means: Means,
  db: Queryable,
  caller: Caller,
  { pipeline, scope, variables }: Pick<Definition, 'pipeline' | 'scope' | 'variables'>,
): ReturnType<Means['runs']['requireStart']> {
  return means.runs.requireStart(db, caller, { pipeline, scope, variables, namesRepository: false })
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw externalTriggerProblem('external_trigger.invalid', describeFaults(errors), { errors })
}
