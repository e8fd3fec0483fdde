import { isUnavailable } from '#platform/database'
import type { RunInFlight } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import type { NewAssignment } from '../rules/assignment.ts'
import type { InboxItem } from '../rules/inbox.ts'
import { buildAssign } from './build-assign.ts'

const RETRY_MS = 250

/**
 * Sends an attempt to its runner, once everything that it needs is read. Where something cannot be had, the attempt
 * fails. While the database is away, sending is tried again as long as the stream is open: a new stream asks anew.
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
