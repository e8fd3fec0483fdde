import type { Principal } from '@signalbox/contracts/http'
import type { Queryable } from '#platform/database'
import { type Caller, systemCaller } from '#platform/http'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { RunInFlight } from '#rooms/execution/runs'
import type { Means } from '../means.ts'

/** A run that a task wants. */
export interface ChildPlan {
  readonly pipeline: NonNullable<Awaited<ReturnType<Pipelines['resolveForRun']>>>
  readonly scope: string
  /** The directive that names it. */
  readonly directive: string
}

interface RefusableChild extends Pick<ChildPlan, 'scope' | 'directive'> {
  readonly pipeline: Pick<ChildPlan['pipeline'], 'identifier' | 'teamPath' | 'references' | 'faults'>
}

type RefusableRun = Pick<RunInFlight, 'initiator' | 'teamPath' | 'scope' | 'untrusted' | 'graph'>

/**
 * Asks once more, when a run is about to start, what was asked when it was queued: a grant may have gone meanwhile.
 * A sentence for the run's reason, or undefined. Throws authorization_unavailable where it cannot be known.
 */
export async function findRefusal(means: Means, db: Queryable, run: RefusableRun): Promise<string | undefined> {
  const { initiator } = run
  const caller = await findCaller(means, initiator)
  if (!caller) return `${initiator.name} may start nothing any more: the account is disabled or gone.`
  if (!caller.can('run.start', run.teamPath)) return `${initiator.name} may no longer start runs of ${run.teamPath}.`
  if (!(await means.access.canUseScope(caller, run.scope))) {
    return `${initiator.name} may no longer use the scope ${run.scope}.`
  }
  return (await findProtection(means, db, run, run.scope)) ?? (await findFault(means, db, caller, run))
}

/** Why an untrusted run may not be in a scope as it is now; undefined when it may, and for any other run. */
export async function findProtection(
  means: Means,
  db: Queryable,
  { untrusted }: Pick<RunInFlight, 'untrusted'>,
  scope: string,
): Promise<string | undefined> {
  if (!untrusted) return undefined
  const found = await means.teams.resolveScope(db, scope)
  if (found?.protected === false) return undefined
  // A deleted scope may have been protected.
  return `The scope ${scope} is ${found ? 'protected' : 'gone'}, and the run is of a pull request from a fork or an unknown place.`
}

/**
 * The first fault of what the pipeline names. A missing secret or child pipeline is reported later, by the attempt that
 * needs it.
 */
async function findFault(
  means: Means,
  db: Queryable,
  caller: Caller,
  { graph, teamPath, untrusted, initiator }: RefusableRun,
): Promise<string | undefined> {
  const references = means.pipelines.referencesOf(graph)
  if (references.length === 0) return undefined
  const wanted = { teamPath, references, untrusted, who: initiator.name }
  const fault = (await means.runs.findFaults(db, caller, wanted)).find(({ why }) => why !== 'missing')
  return fault && `${fault.field}: ${fault.message}`
}

/**
 * As `findRefusal`, for a run that a task of this one wants: the initiator is asked for it as if they had started it.
 * The sentence begins with the directive.
 */
export async function findChildRefusal(
  means: Means,
  db: Queryable,
  run: Pick<RunInFlight, 'initiator' | 'untrusted'>,
  { pipeline, scope, directive }: RefusableChild,
): Promise<string | undefined> {
  const { initiator, untrusted } = run
  const { teamPath, references } = pipeline
  const caller = await findCaller(means, initiator)
  if (!caller) return `${directive}: ${initiator.name} may start nothing any more: the account is disabled or gone.`
  if (!caller.can('run.start', teamPath)) return `${directive}: ${initiator.name} may not start runs of ${teamPath}.`
  const inScope = { kind: 'scope', target: scope, directive: 'scope' } as const
  const wanted = { teamPath, references: [inScope, ...references], untrusted, who: initiator.name }
  const [fault] = [...pipeline.faults, ...(await means.runs.findFaults(db, caller, wanted))]
  return fault && `${directive}: ${fault.field} of ${pipeline.identifier}: ${fault.message}`
}

async function findCaller(means: Means, initiator: Principal): Promise<Caller | undefined> {
  if (initiator.kind === 'system') return systemCaller(initiator.name)
  return await means.access.subject(initiator.kind, initiator.id)
}
