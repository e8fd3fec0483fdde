import type { GraphTask } from '@signalbox/pipeline/graph'
import { createFairShares } from '#platform/http'
import { defineRoom } from '#platform/room'
import type { Runs } from '#rooms/execution/runs'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import { type AttemptFiles, type AttemptPlace, giveAttempt } from './actions/give-attempt.ts'
import type { ObjectPort } from './actions/object-port.ts'
import { artifactProblem } from './errors.ts'
import { artifactJobs } from './jobs.ts'
import { artifactRoutes, transferRoutes } from './routes/index.ts'

export type { AttemptFiles, AttemptPlace } from './actions/give-attempt.ts'
export type { ObjectPort } from './actions/object-port.ts'

export interface Artifacts {
  /**
   * What a runner is told of the files of an attempt; undefined where its task has none. `missing` names tasks
   * (`<step>.<task>`) that left no artifact: the attempt cannot start as it was meant.
   */
  giveAttempt(
    place: AttemptPlace,
    task: Pick<GraphTask, 'artifacts' | 'needsArtifacts' | 'cache'>,
  ): Promise<(AttemptFiles & { readonly missing: readonly string[] }) | undefined>
}

export interface ArtifactNeeds {
  readonly audit: Audit
  readonly teams: Pick<Teams, 'selfAndAncestors' | 'getTeamByPath'>
  readonly runs: Pick<Runs, 'findVisible' | 'isInHand'>
  /** The object store. */
  readonly objects: ObjectPort
  /** Where this process listens, as soon as it does: for runners where `base_url` is not configured. */
  readonly api: { readonly url?: string }
}

/** Bytes of archives that are on their way to whoever asked: 64 parts, shared fairly. */
const MOST_OUTGOING = 512 * 1024 * 1024

export const artifacts = defineRoom<Artifacts, ArtifactNeeds>({
  name: 'execution/artifacts',
  open(kit, needs) {
    const outgoing = { bytes: createFairShares(MOST_OUTGOING), clock: kit.clock }
    return {
      door: {
        giveAttempt: (place, task) => giveAttempt(kit, needs.api.url, place, task),
      },
      problems: [artifactProblem],
      routes: [...artifactRoutes(kit, { ...needs, outgoing }), ...transferRoutes(kit, { ...needs, outgoing })],
      jobs: artifactJobs(kit, needs.objects),
    }
  },
})
