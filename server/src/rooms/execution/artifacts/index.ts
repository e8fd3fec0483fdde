import { createFairShares } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import { type AttemptFiles, type AttemptPlace, giveAttempt, type TaskFiles } from './actions/give-attempt.ts'
import { artifactProblem } from './errors.ts'
import { artifactJobs } from './jobs.ts'
import type { Means } from './means.ts'
import { artifactRoutes } from './routes/artifacts.ts'
import { transferRoutes } from './routes/transfers.ts'

export type { AttemptFiles, AttemptPlace } from './actions/give-attempt.ts'
export type { ObjectPort } from './actions/object-port.ts'

export interface Artifacts {
  /**
   * The files of an attempt, for its runner; undefined where the task has none. `missing` names tasks (`<step>.<task>`) that
   * left no artifact: the attempt cannot start.
   */
  giveAttempt(
    place: AttemptPlace,
    task: TaskFiles,
  ): Promise<(AttemptFiles & { readonly missing: readonly string[] }) | undefined>
}

/** Bytes of archives in memory that are on their way: 64 parts, shared fairly. */
const MOST_OUTGOING = 512 * 1024 * 1024

export const artifacts = defineRoom<Artifacts, Omit<Doors<Means>, 'outgoing' | 'completing'>>({
  name: 'execution/artifacts',
  open(kit, needs) {
    const means: Means = { ...kit, ...needs, outgoing: createFairShares(MOST_OUTGOING), completing: new Map() }
    return {
      door: { giveAttempt: (place, task) => giveAttempt(means, place, task) },
      problems: [artifactProblem],
      routes: [...artifactRoutes(means), ...transferRoutes(means)],
      jobs: artifactJobs(means),
    }
  },
})
