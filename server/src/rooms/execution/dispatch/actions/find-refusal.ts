import type { Queryable } from '#platform/database'
import { type Caller, systemCaller } from '#platform/http'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Initiator, RunInFlight, Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Teams } from '#rooms/foundation/teams'
import type { ChildPlan } from './start-child.ts'

interface RefusalNeeds {
  readonly access: Pick<Access, 'subject' | 'canUseScope'>
  readonly teams: Pick<Teams, 'resolveScope'>
  readonly pipelines: Pick<Pipelines, 'referencesOf'>
  readonly runs: Pick<Runs, 'findFaults'>
}

interface RefusableChild extends Pick<ChildPlan, 'scope' | 'directive'> {
  readonly pipeline: Pick<ChildPlan['pipeline'], 'identifier' | 'teamPath' | 'references' | 'faults'>
}

type RefusableRun = Pick<RunInFlight, 'initiator' | 'teamPath' | 'scope' | 'untrusted' | 'graph'>

/**
 * Asks once more, when a run is about to start, what was asked when it was queued: a grant may have gone meanwhile.
 * A sentence for the run's reason, or undefined. Throws authorization_unavailable where it cannot be known.
 */
export async function findRefusal(needs: RefusalNeeds, db: Queryable, run: RefusableRun): Promise<string | undefined> {
  const { initiator } = run
  const caller = await findCaller(needs, initiator)
  if (!caller) return `${initiator.name} may start nothing any more: the account is disabled or gone.`
  if (!caller.can('run.start', run.teamPath)) return `${initiator.name} may no longer start runs of ${run.teamPath}.`
  if (!(await needs.access.canUseScope(caller, run.scope))) {
    return `${initiator.name} may no longer use the scope ${run.scope}.`
  }
  return (await findProtection(needs, db, run, run.scope)) ?? (await findFault(needs, db, caller, run))
}

/** Why an untrusted run may not be in a scope as it is now; undefined when it may, and for any other run. */
export async function findProtection(
  needs: Pick<RefusalNeeds, 'teams'>,
  db: Queryable,
  { untrusted }: Pick<RunInFlight, 'untrusted'>,
  scope: string,
): Promise<string | undefined> {
  if (!untrusted) return undefined
  const found = await needs.teams.resolveScope(db, scope)
  if (found?.protected === false) return undefined
  // One that is gone may have been protected.
  return `The scope ${scope} is ${found ? 'protected' : 'gone'}, and the run is of a pull request from a fork or an unknown place.`
}

/** Of what the pipeline names: that a secret or a child pipeline is gone is told by the attempt that wants it. */
async function findFault(
  needs: RefusalNeeds,
  db: Queryable,
  caller: Caller,
  { graph, teamPath, untrusted, initiator }: RefusableRun,
): Promise<string | undefined> {
  const references = needs.pipelines.referencesOf(graph)
  if (references.length === 0) return undefined
  const wanted = { teamPath, references, untrusted, who: initiator.name }
  const fault = (await needs.runs.findFaults(db, caller, wanted)).find(({ why }) => why !== 'missing')
  return fault && `${fault.field}: ${fault.message}`
}

/**
 * As `findRefusal`, for a run that a task of this one wants: the initiator is asked for it as if they had started it.
 * The sentence begins with the directive.
 */
export async function findChildRefusal(
  needs: RefusalNeeds,
  db: Queryable,
  run: Pick<RunInFlight, 'initiator' | 'untrusted'>,
  { pipeline, scope, directive }: RefusableChild,
): Promise<string | undefined> {
  const { initiator, untrusted } = run
  const { teamPath, references } = pipeline
  const caller = await findCaller(needs, initiator)
  if (!caller) return `${directive}: ${initiator.name} may start nothing any more: the account is disabled or gone.`
  if (!caller.can('run.start', teamPath)) return `${directive}: ${initiator.name} may not start runs of ${teamPath}.`
  const inScope = { kind: 'scope', target: scope, directive: 'scope' } as const
  const wanted = { teamPath, references: [inScope, ...references], untrusted, who: initiator.name }
  const [fault] = [...pipeline.faults, ...(await needs.runs.findFaults(db, caller, wanted))]
  return fault && `${directive}: ${fault.field} of ${pipeline.identifier}: ${fault.message}`
}

async function findCaller(needs: RefusalNeeds, initiator: Initiator): Promise<Caller | undefined> {
  if (initiator.kind === 'system') return systemCaller(initiator.name)
  return await needs.access.subject(initiator.kind, initiator.id)
}
