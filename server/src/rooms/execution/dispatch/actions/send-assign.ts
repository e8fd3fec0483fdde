import { isUnavailable } from '#platform/database'
import type { RunInFlight } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import type { NewAssignment } from '../rules/assignment.ts'
import type { InboxItem } from '../rules/inbox.ts'
import { buildAssign } from './build-assign.ts'

const RETRY_MS = 250

/**
 * Sends an attempt to the runner that was given it, once what it needs is read. What cannot be had fails the attempt;
 * while the database is away it is tried again, as long as the runner's stream is there: a new stream asks anew.
 */
export async function sendAssign(
  means: Means,
  push: (item: InboxItem) => void,
  known: RunInFlight | undefined,
  assignment: NewAssignment,
): Promise<void> {
  const session = means.sessions.find(assignment.runnerId)
  for (;;) {
    if (!session || session.ended) return
    try {
      const run = known ?? (await means.runs.progress.load(means.database.kysely, [assignment.runId]))[0]
      const assign = run && (await buildAssign(means, run, assignment))
      if (!assign) return
      if ('impossible' in assign) push(failed(assignment, assign.impossible))
      else session.send({ case: 'assign', value: assign })
      return
    } catch (error) {
      if (!isUnavailable(error)) {
        means.log.error({ err: error, runId: assignment.runId }, 'an attempt could not be assigned')
        push(failed(assignment, 'The attempt could not be assigned because of an error on our side.'))
        return
      }
      await means.clock.sleep(RETRY_MS)
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
