import type { Queryable } from '#platform/database'
import { type Caller, systemCaller } from '#platform/http'
import type { Initiator, RunInFlight } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Teams } from '#rooms/foundation/teams'

interface RefusalNeeds {
  readonly access: Pick<Access, 'subject' | 'canUseScope'>
  readonly teams: Pick<Teams, 'resolveScope'>
}

/**
 * Asks once more, when a run is about to start, what was asked when it was queued: a grant may have gone meanwhile.
 * A sentence for the run's reason, or undefined. Throws authorization_unavailable where it cannot be known.
 */
export async function findRefusal(needs: RefusalNeeds, db: Queryable, run: RunInFlight): Promise<string | undefined> {
  const { initiator } = run
  const caller = await findCaller(needs, initiator)
  if (!caller) return `${initiator.name} may start nothing any more: the account is disabled or gone.`
  if (!caller.can('run.start', run.teamPath)) return `${initiator.name} may no longer start runs of ${run.teamPath}.`
  if (!(await needs.access.canUseScope(caller, run.scope))) {
    return `${initiator.name} may no longer use the scope ${run.scope}.`
  }
  if (run.untrusted) {
    const scope = await needs.teams.resolveScope(db, run.scope)
    // One that is gone may have been protected.
    return scope?.protected === false
      ? undefined
      : `The scope ${run.scope} is protected, and the run is of a pull request from a fork.`
  }
  if (Object.keys(run.graph.secrets).length > 0 && !caller.can('secret.read', run.teamPath)) {
    return `${initiator.name} may no longer use the secrets of ${run.teamPath}.`
  }
  return undefined
}

async function findCaller(needs: RefusalNeeds, initiator: Initiator): Promise<Caller | undefined> {
  if (initiator.kind === 'system') return systemCaller(initiator.name)
  return await needs.access.subject(initiator.kind, initiator.id)
}
