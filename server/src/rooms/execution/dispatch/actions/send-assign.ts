import { isUnavailable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { RunInFlight, Runs } from '#rooms/execution/runs'
import type { NewAssignment } from '../rules/assignment.ts'
import type { InboxItem } from '../rules/inbox.ts'
import type { RunnerSessions } from '../sessions/runner-sessions.ts'
import { type AssignNeeds, buildAssign } from './build-assign.ts'

interface SendNeeds extends AssignNeeds {
  readonly runs: Pick<Runs, 'progress'>
  readonly sessions: RunnerSessions
  readonly push: (item: InboxItem) => void
}

const RETRY_MS = 250

/**
 * Sends an attempt to the runner that was given it, once what it needs is read. What cannot be had fails the attempt;
 * while the database is away it is tried again, as long as the runner's stream is there: a new stream asks anew.
 */
export async function sendAssign(
  kit: Kit,
  needs: SendNeeds,
  known: RunInFlight | undefined,
  assignment: NewAssignment,
): Promise<void> {
  const session = needs.sessions.find(assignment.runnerId)
  for (;;) {
    if (!session || session.ended) return
    try {
      const run = known ?? (await needs.runs.progress.load(kit.database.kysely, [assignment.runId]))[0]
      const assign = run && (await buildAssign(kit, needs, run, assignment))
      if (!assign) return
      if ('impossible' in assign) needs.push(failed(assignment, assign.impossible))
      else session.send({ case: 'assign', value: assign })
      return
    } catch (error) {
      if (!isUnavailable(error)) {
        kit.log.error({ err: error, runId: assignment.runId }, 'an attempt could not be assigned')
        needs.push(failed(assignment, 'The attempt could not be assigned because of an error on our side.'))
        return
      }
      await kit.clock.sleep(RETRY_MS)
    }
  }
}

function failed(assignment: NewAssignment, reason: string): InboxItem {
  return {
    kind: 'finished',
    runnerId: assignment.runnerId,
    assignment,
    finished: { result: 'failure', exitCode: null, reason, outputs: {}, startedAt: null },
  }
}
