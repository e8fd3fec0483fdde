import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'
import { RunStatus } from '../runs/index.ts'

const Count = Type.Integer({ minimum: 0 })

export const TeamCountsQuery = Type.Object(
  {
    since: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Pipelines that broke after this instant; default: a day ago, at the earliest 30 days ago.',
      }),
    ),
  },
  STRICT,
)
export type TeamCountsQuery = Static<typeof TeamCountsQuery>

const RunCounts = Type.Object({
  queued: Count,
  running: Count,
  paused: Count,
  finished: Type.Object(
    { success: Count, warning: Count, failure: Count, timed_out: Count, canceled: Count },
    { description: 'Runs that ended in the last 24 hours.' },
  ),
})

const ApprovalCounts = Type.Object(
  {
    waiting: Type.Integer({ description: 'Steps and runs from forks that wait for somebody.' }),
    mine: Type.Integer({ description: 'Those that the caller may decide now and has not decided yet.' }),
  },
  { description: 'Neither is counted beyond 1,000.' },
)

export const SickSource = Type.Object({
  source_id: Uuid,
  name: Type.String(),
  status: Type.Enum(['failing', 'silent']),
  sentence: Type.String({ description: 'Why, and what to do.' }),
})
export type SickSource = Static<typeof SickSource>

const SourceCounts = Type.Object({
  healthy: Count,
  failing: Count,
  silent: Count,
  disabled: Count,
  unused: Count,
  sick: Type.Array(SickSource, { description: 'At most five: those that fail first, then those that are silent.' }),
})

export const AwayRunner = Type.Object({
  runner_id: Uuid,
  name: OwnName,
  last_seen_at: Nullable(Time),
})
export type AwayRunner = Static<typeof AwayRunner>

const RunnerCounts = Type.Object({
  online: Count,
  draining: Count,
  disabled: Count,
  offline: Count,
  away: Type.Array(AwayRunner, { description: 'At most five that are offline.' }),
})

export const NextFire = Type.Object({
  schedule_id: Uuid,
  identifier: Type.String({ ...OURS, description: '<team path>/<name>' }),
  fires_at: Time,
})
export type NextFire = Static<typeof NextFire>

const ScheduleCounts = Type.Object({
  enabled: Count,
  disabled: Count,
  failing: Type.Integer({ description: 'Enabled ones that could not start a run at their last instant.' }),
  next: Type.Array(NextFire, { description: 'The next five to fire.' }),
})

export const BrokenPipeline = Type.Object({
  pipeline_id: Uuid,
  pipeline: Type.String({ ...OURS, description: '<team path>/<name>' }),
  run_id: Uuid,
  status: RunStatus,
  finished_at: Time,
  last_good_run_id: Nullable(Uuid),
})
export type BrokenPipeline = Static<typeof BrokenPipeline>

/** Of a team and the teams below it. What the caller may see nowhere there is absent, which is not zero. */
export const TeamCounts = Type.Object({
  team_path: TeamPath,
  at: Type.String({ format: 'date-time', description: 'When it was counted.' }),
  runs: Type.Optional(RunCounts),
  approvals: Type.Optional(ApprovalCounts),
  sources: Type.Optional(SourceCounts),
  runners: Type.Optional(RunnerCounts),
  schedules: Type.Optional(ScheduleCounts),
  broken: Type.Optional(
    Type.Array(BrokenPipeline, {
      description: 'Pipelines whose last run failed after `since`, where the one before succeeded; at most 20.',
    }),
  ),
})
export type TeamCounts = Static<typeof TeamCounts>

export { TeamParams } from '../teams/index.ts'
