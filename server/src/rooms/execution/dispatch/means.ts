import type { Kit } from '#platform/room'
import type { GitApps } from '#rooms/catalog/git-apps'
import type { Knowledge } from '#rooms/catalog/knowledge'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Profiles } from '#rooms/catalog/profiles'
import type { Runners } from '#rooms/catalog/runners'
import type { Approvals } from '#rooms/execution/approvals'
import type { Artifacts } from '#rooms/execution/artifacts'
import type { Logs } from '#rooms/execution/logs'
import type { RunInFlight, Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Secrets } from '#rooms/foundation/secrets'
import type { Teams } from '#rooms/foundation/teams'
import type { NewAssignment } from './rules/assignment.ts'
import type { InboxItem } from './rules/inbox.ts'
import type { LogPump } from './sessions/log-pump.ts'
import type { RunnerSession } from './sessions/runner-session.ts'
import type { RunnerSessions } from './sessions/runner-sessions.ts'

/** Everything that the actions of this room use: the kit, the doors of other rooms, and the streams of this process. */
export interface Means extends Kit {
  readonly access: Access
  readonly teams: Teams
  readonly secrets: Secrets
  readonly gitApps: GitApps
  readonly knowledge: Knowledge
  readonly profiles: Profiles
  readonly pipelines: Pipelines
  readonly runners: Runners
  readonly runs: Runs
  readonly approvals: Approvals
  readonly artifacts: Artifacts
  readonly logs: Logs
  readonly processId: string
  readonly sessions: RunnerSessions
}

/** The rounds of the dispatcher, for code that learns of something that moves runs. */
export interface Rounds {
  push(...items: readonly InboxItem[]): void
  wake(): void
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

/** Everything that the streams of runners use: the rounds of the dispatcher, and the log pump. */
export interface StreamMeans extends Means {
  readonly dispatcher: Rounds
  readonly logPump: LogPump
  /** Builds and sends the message of an attempt that was assigned to a runner. */
  readonly assign: (run: RunInFlight | undefined, assignment: NewAssignment) => void
  /** A result came too late. */
  readonly stale: () => void
  /** The runner was told that it may go on, and its leases could not be renewed. */
  readonly unrenewed: (runnerId: string) => void
  /** A stream has ended. */
  readonly gone: (session: RunnerSession) => void
}
