import type { AwayRunner, BrokenPipeline } from '@signalbox/contracts/overview'
import type { BrokenRow } from '#rooms/execution/runs'
import type { CountedParts, Means } from '../means.ts'

const DAY_MS = 86_400_000
const MAX_BROKEN = 20
const NEXT_FIRES = 5
const MOST_AWAY = 5

/** At and below which paths each part is counted; nowhere: it is left out. */
export interface WantedParts {
  readonly runs: readonly string[]
  readonly sources: readonly string[]
  readonly runners: readonly string[]
  readonly schedules: readonly string[]
  /** Pipelines that broke at this instant or later. */
  readonly since: Date
}

/** What is the same for all callers who see the same. */
export async function countParts(means: Means, wanted: WantedParts): Promise<CountedParts> {
  const [runs, sources, runners, schedules] = await Promise.all([
    readRuns(means, wanted.runs, wanted.since),
    wanted.sources.length === 0 ? undefined : means.sources.countHealth(wanted.sources),
    countRunners(means, wanted.runners),
    countSchedules(means, wanted.schedules),
  ])
  return {
    ...runs,
    ...(sources && { sources }),
    ...(runners && { runners }),
    ...(schedules && { schedules }),
  }
}

type Part<Name extends keyof CountedParts> = Promise<CountedParts[Name] | undefined>

/** Empty for somebody who may see no runs there. */
async function readRuns(
  means: Means,
  prefixes: readonly string[],
  brokenSince: Date,
): Promise<Pick<CountedParts, 'runs' | 'broken'>> {
  if (prefixes.length === 0) return {}
  const db = means.database.kysely
  const countedSince = new Date(means.clock.now().getTime() - DAY_MS)
  const [standing, ended] = await Promise.all([
    means.runs.countUnfinishedBy(db, prefixes),
    means.runs.readEnded(db, prefixes, { countedSince, brokenSince, mostBroken: MAX_BROKEN }),
  ])
  const of = (counts: ReadonlyMap<string, number>, status: string): number => counts.get(status) ?? 0
  return {
    runs: {
      queued: of(standing, 'queued'),
      running: of(standing, 'running'),
      paused: of(standing, 'paused'),
      finished: {
        success: of(ended.counts, 'success'),
        warning: of(ended.counts, 'warning'),
        failure: of(ended.counts, 'failure'),
        timed_out: of(ended.counts, 'timed_out'),
        canceled: of(ended.counts, 'canceled'),
      },
    },
    broken: await describeBroken(means, ended.broken),
  }
}

/** Without the pipelines that were deleted meanwhile. */
async function describeBroken(means: Means, rows: readonly BrokenRow[]): Promise<BrokenPipeline[]> {
  if (rows.length === 0) return []
  const live = await means.pipelines.listLive(
    means.database.kysely,
    rows.map(({ pipelineId }) => pipelineId),
  )
  return rows
    .filter(({ pipelineId }) => live.has(pipelineId))
    .map((row) => ({
      pipeline_id: row.pipelineId,
      pipeline: row.pipeline,
      run_id: row.runId,
      status: row.status,
      finished_at: row.finishedAt.toISOString(),
      last_good_run_id: row.lastGoodRunId,
    }))
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
