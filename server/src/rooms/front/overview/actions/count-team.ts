import type { Permission } from '@signalbox/contracts/access'
import type { TeamCounts } from '@signalbox/contracts/overview'
import { type Caller, prefixesWithin, requireVisible } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { countParts, type WantedParts } from './count-parts.ts'

const DAY_MS = 86_400_000
const EARLIEST_DAYS = 30
const MAX_APPROVALS = 1000

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
  const wanted: WantedParts = {
    runs: within('run.read'),
    sources: within('webhook_source.read'),
    runners: within('runner.read'),
    schedules: within('schedule.read'),
    // Each person looked last at another time; who looked on the same day shares one answer.
    since: new Date(Math.floor(since.getTime() / DAY_MS) * DAY_MS),
  }
  const [parts, approvals] = await Promise.all([
    means.parts.read(JSON.stringify(wanted), () => countParts(means, wanted)),
    wanted.runs.length === 0 ? undefined : means.approvals.count(caller, path, MAX_APPROVALS),
  ])
  const { broken, ...others } = parts
  return {
    team_path: path,
    at: now.toISOString(),
    ...others,
    ...(approvals && { approvals }),
    ...(broken && { broken: broken.filter(({ finished_at: at }) => Date.parse(at) >= since.getTime()) }),
  }
}

function sinceOf(asked: Date | undefined, now: Date): Date {
  const earliest = now.getTime() - EARLIEST_DAYS * DAY_MS
  return new Date(Math.max(earliest, asked?.getTime() ?? now.getTime() - DAY_MS))
}
