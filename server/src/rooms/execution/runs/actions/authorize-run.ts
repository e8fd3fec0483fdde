import { findUndeclaredVariables } from '@signalbox/pipeline/facts'
import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { type FieldError, platformProblem } from '#platform/problems'
import type { PipelineForRun } from '#rooms/catalog/pipelines'
import { runProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { findFaults } from './find-faults.ts'

/** A run that somebody asks for. */
interface WantedRun {
  readonly pipeline: Pick<PipelineForRun, 'teamPath' | 'references' | 'faults'>
  readonly scope: string
  /** The run's code comes from a fork or an unknown place. */
  readonly untrusted: boolean
}

/**
 * Checks that the caller may have this run before anything is queued. The caller needs the scope and everything that the
 * pipeline names: secrets, profiles, scopes of steps, child pipelines. 400 names, by its directive, what does not exist or
 * is hidden (both look alike). 403 names what the caller sees and may not use. An untrusted run gets no secrets and no
 * protected scope.
 */
export async function authorizeRun(
  means: Means,
  db: Queryable,
  caller: Caller,
  { pipeline, scope, untrusted }: WantedRun,
): Promise<void> {
  await requireScope(means, caller, scope)
  if (untrusted && (await means.teams.resolveScope(db, scope))?.protected !== false) {
    throw platformProblem(
      'forbidden',
      `The scope ${scope} is protected, and the run is of a pull request from a fork or an unknown place.`,
    )
  }
  const { teamPath, references } = pipeline
  const faults = await findFaults(means, db, caller, { teamPath, references, untrusted, who: 'You' })
  const forbidden = faults.find((fault) => fault.why === 'forbidden')
  if (forbidden) {
    const { field, message } = forbidden
    throw platformProblem('forbidden', `${field}: ${message}`, { errors: faults.map(toError) })
  }
  const errors = [...pipeline.faults, ...faults].map(toError)
  const [first] = errors
  if (first) throw runProblem('run.not_startable', `${first.field}: ${first.message}`, { errors })
}

/**
 * 400 for a scope that does not exist or is hidden: both look alike. 403 for a scope that the caller sees and may not
 * use.
 */
async function requireScope({ access }: Means, caller: Caller, scope: string): Promise<void> {
  const verdict = await access.judgeScope(caller, scope)
  switch (verdict) {
    case 'usable':
      return
    case 'forbidden':
      throw platformProblem(
        'forbidden',
        `You may not use the scope ${scope}. ${(await access.snapshot()).whoMayUse(scope)}`,
      )
    case 'unknown':
      throw wrong('scope', `There is no scope ${scope} that you may use.`)
    default:
      return verdict satisfies never
  }
}

function toError({ field, message }: FieldError): FieldError {
  return { field, message }
}

/** The scope of a run that names none: the only environment of the pipeline's team. Throws run.not_startable (400). */
export async function defaultScope(means: Means, db: Queryable, teamPath: string): Promise<string> {
  const found = await findDefaultScope(means, db, teamPath)
  if ('problem' in found) throw wrong('scope', found.problem)
  return found.scope
}

/** As `defaultScope`; where there is no environment or more than one, a sentence that lists them. */
export async function findDefaultScope(
  means: Means,
  db: Queryable,
  teamPath: string,
): Promise<{ readonly scope: string } | { readonly problem: string }> {
  const scopes = (await means.teams.listScopes(db)).filter((scope) => scope.teamPath === teamPath)
  const [only] = scopes
  if (scopes.length === 1 && only) return { scope: `${only.teamPath}/${only.environment}` }
  const names = scopes.map((scope) => `${scope.teamPath}/${scope.environment}`).toSorted()
  const problem =
    names.length === 0
      ? `The team ${teamPath} has no environment: make one, or name the scope of another team.`
      : `Name the scope: ${names.join(', ')}.`
  return { problem }
}

/** Throws run.not_startable (422) where the pipeline declares no variable of a name. */
export function requireDeclared(
  pipeline: PipelineForRun,
  variables: Readonly<Record<string, string>> | undefined,
): void {
  const errors = findUndeclaredVariables(pipeline, Object.keys(variables ?? {})).map(({ name, message }) => ({
    field: `variables.${name}`,
    message,
  }))
  const [first] = errors
  if (first) throw runProblem('run.not_startable', `${first.field} ${first.message}.`, { errors })
}

export function wrong(field: string, message: string): Error {
  return runProblem('run.not_startable', message, { errors: [{ field, message }] })
}
