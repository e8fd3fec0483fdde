import type { Permission } from '@signalbox/contracts/access'
import type { AwayRunner, BrokenPipeline, TeamCounts } from '@signalbox/contracts/overview'
import { type Caller, prefixesWithin, requireVisible } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'

const DAY_MS = 86_400_000
const EARLIEST_DAYS = 30
const MAX_APPROVALS = 1000
const MAX_BROKEN = 20
const NEXT_FIRES = 5
const MOST_AWAY = 5

export interface AskedCounts {
  /** Id or path. */
  readonly team: string
  readonly since: Date | undefined
}

/**
 * What goes on in a team and below it. Each part counts what its own list would show the caller; a part of which they may see
 * nothing there is left out. Throws not_found (404) for a team that the caller may not see.
 */
export async function countTeam(means: Means, caller: Caller, asked: AskedCounts): Promise<TeamCounts> {
  const found = await means.teams.findTeam(means.database.kysely, asked.team)
  const { path } = requireVisible(caller, 'team.read', found, () =>
    platformProblem('not_found', 'There is no such team, or you may not see it.'),
  )
  const now = means.clock.now()
  const within = (permission: Permission): readonly string[] => prefixesWithin(caller.prefixes(permission), path)
  const since = sinceOf(asked.since, now)
  const [runs, approvals, sources, runners, schedules, broken] = await Promise.all([
    countRuns(means, within('run.read'), now),
    within('run.read').length === 0 ? undefined : means.approvals.count(caller, path, MAX_APPROVALS),
    within('webhook_source.read').length === 0 ? undefined : means.sources.countHealth(within('webhook_source.read')),
    countRunners(means, within('runner.read')),
    countSchedules(means, within('schedule.read')),
    listBroken(means, within('run.read'), since),
  ])
  return {
    team_path: path,
    at: now.toISOString(),
    ...(runs && { runs }),
    ...(approvals && { approvals }),
    ...(sources && { sources }),
    ...(runners && { runners }),
    ...(schedules && { schedules }),
    ...(broken && { broken }),
  }
}

function sinceOf(asked: Date | undefined, now: Date): Date {
  const earliest = now.getTime() - EARLIEST_DAYS * DAY_MS
  return new Date(Math.max(earliest, asked?.getTime() ?? now.getTime() - DAY_MS))
}

type Part<Name extends keyof TeamCounts> = Promise<TeamCounts[Name] | undefined>

async function countRuns(means: Means, prefixes: readonly string[], now: Date): Part<'runs'> {
  if (prefixes.length === 0) return undefined
  const db = means.database.kysely
  const standing = await means.runs.countUnfinishedBy(db, prefixes)
  const ended = await means.runs.countFinished(prefixes, new Date(now.getTime() - DAY_MS))
  const of = (counts: ReadonlyMap<string, number>, status: string): number => counts.get(status) ?? 0
  return {
    queued: of(standing, 'queued'),
    running: of(standing, 'running'),
    paused: of(standing, 'paused'),
    finished: {
      success: of(ended, 'success'),
      warning: of(ended, 'warning'),
      failure: of(ended, 'failure'),
      timed_out: of(ended, 'timed_out'),
      canceled: of(ended, 'canceled'),
    },
  }
}

/** Runners of the team and of the teams below it; those of the platform are everybody's. */
async function countRunners(means: Means, prefixes: readonly string[]): Part<'runners'> {
  if (prefixes.length === 0) return undefined
  const counts = { online: 0, draining: 0, disabled: 0, offline: 0 }
  const away: AwayRunner[] = []
  for (const runner of await means.runners.list(means.database.kysely)) {
    if (!prefixes.some((prefix) => runner.teamPath === prefix || runner.teamPath.startsWith(`${prefix}/`))) continue
    if (!means.runners.isReachable(runner)) {
      counts.offline += 1
      const lastSeen = runner.lastSeenAt?.toISOString() ?? null
      if (away.length < MOST_AWAY) away.push({ runner_id: runner.id, name: runner.name, last_seen_at: lastSeen })
    } else if (!runner.enabled) counts.disabled += 1
    else if (runner.draining || runner.leaving) counts.draining += 1
    else counts.online += 1
  }
  return { ...counts, away }
}

async function countSchedules(means: Means, prefixes: readonly string[]): Part<'schedules'> {
  if (prefixes.length === 0) return undefined
  const db = means.database.kysely
  const counts = await means.schedules.count(db, prefixes)
  const next = await means.schedules.listNextFires(db, prefixes, NEXT_FIRES)
  return {
    ...counts,
    next: next.map(({ id, teamPath, name, nextFireAt }) => ({
      schedule_id: id,
      identifier: `${teamPath}/${name}`,
      fires_at: nextFireAt.toISOString(),
    })),
  }
}

async function listBroken(means: Means, prefixes: readonly string[], since: Date): Part<'broken'> {
  if (prefixes.length === 0) return undefined
  const db = means.database.kysely
  const rows = await means.runs.listBroken(db, prefixes, { since, limit: MAX_BROKEN })
  const live = await means.pipelines.listLive(
    db,
    rows.map(({ pipelineId }) => pipelineId),
  )
  return rows
    .filter(({ pipelineId }) => live.has(pipelineId))
    .map(
      (row): BrokenPipeline => ({
        pipeline_id: row.pipelineId,
        pipeline: row.pipeline,
        run_id: row.runId,
        status: row.status,
        finished_at: row.finishedAt.toISOString(),
        last_good_run_id: row.lastGoodRunId,
      }),
    )
}
