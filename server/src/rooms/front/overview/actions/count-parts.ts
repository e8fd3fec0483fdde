import type { AwayRunner, BrokenPipeline } from '@signalbox/contracts/overview'
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
  const [runs, sources, runners, schedules, broken] = await Promise.all([
    countRuns(means, wanted.runs),
    wanted.sources.length === 0 ? undefined : means.sources.countHealth(wanted.sources),
    countRunners(means, wanted.runners),
    countSchedules(means, wanted.schedules),
    listBroken(means, wanted.runs, wanted.since),
  ])
  return {
    ...(runs && { runs }),
    ...(sources && { sources }),
    ...(runners && { runners }),
    ...(schedules && { schedules }),
    ...(broken && { broken }),
  }
}

type Part<Name extends keyof CountedParts> = Promise<CountedParts[Name] | undefined>

async function countRuns(means: Means, prefixes: readonly string[]): Part<'runs'> {
  if (prefixes.length === 0) return undefined
  const db = means.database.kysely
  const standing = await means.runs.countUnfinishedBy(db, prefixes)
  const ended = await means.runs.countFinished(prefixes, new Date(means.clock.now().getTime() - DAY_MS))
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
