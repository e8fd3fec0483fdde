/** A queued run as its turn is found. */
export interface QueuedRun {
  readonly id: string
  readonly team_path: string
  readonly priority: number
  /** When a run of its team last began in its lane; null: none has. */
  readonly served_at: Date | null
}

/** What a team, or all teams below one topmost team, have in the queue. */
interface Line {
  readonly servedAt: number
  /** The run that is first in it. */
  readonly head: string
}

/**
 * The order in which queued runs begin: topmost teams take turns, so do the teams below each of them, and within a team
 * the higher priority goes first, then the older (ids are ordered by time). The turn is that of the team which was not
 * served for longest.
 */
export function takeTurns<Run extends QueuedRun>(runs: readonly Run[]): readonly Run[] {
  const lines = Map.groupBy(runs, (run) => run.team_path)
    .values()
    .flatMap((team) => {
      const sorted = team.toSorted((a, b) => b.priority - a.priority || compare(a.id, b.id))
      const [first] = sorted
      const servedAt = Math.max(...team.map((run) => run.served_at?.getTime() ?? 0))
      return first ? [{ runs: sorted, servedAt, head: first.id, top: topOf(first.team_path) }] : []
    })
  const tops = Map.groupBy(lines, ({ top }) => top)
    .values()
    .flatMap((teams) => {
      const rotated = rotate(teams)
      const [first] = rotated
      const servedAt = Math.max(...teams.map((team) => team.servedAt))
      return first ? [{ runs: rotated, servedAt, head: first.id }] : []
    })
  return rotate([...tops])
}

/** What one team has in the queue of a lane. */
export interface TeamQueue {
  readonly team_path: string
  readonly queued: number
  readonly head: string
  readonly served_at: Date | null
}

/** How many runs of a lane begin before one of `teamPath`, before which `ahead` of its own team do: as `takeTurns` orders them. */
export function countBefore(queues: readonly TeamQueue[], teamPath: string, ahead: number): number {
  const teams = queues.map((queue) => ({ ...queue, servedAt: queue.served_at?.getTime() ?? 0 }))
  const own = teams.find((team) => team.team_path === teamPath)
  if (!own) return ahead
  const tops = Map.groupBy(teams, (team) => topOf(team.team_path))
    .entries()
    .flatMap(([top, members]) => {
      const [first] = members.toSorted(byTurn)
      if (!first) return []
      const queued = members.reduce((sum, member) => sum + member.queued, 0)
      return [{ top, members, queued, head: first.head, servedAt: Math.max(...members.map((each) => each.servedAt)) }]
    })
    .toArray()
  const ownTop = tops.find(({ top }) => top === topOf(teamPath))
  return ownTop ? countInTurns(tops, ownTop, countInTurns(ownTop.members, own, ahead)) : ahead
}

/** As many of each other line as of the own one, and one more of those whose turn is before. */
function countInTurns<One extends Line & { readonly queued: number }>(
  lines: readonly One[],
  own: One,
  ahead: number,
): number {
  const others = lines.filter((line) => line !== own)
  return others.reduce((sum, line) => sum + Math.min(line.queued, ahead + (byTurn(line, own) < 0 ? 1 : 0)), ahead)
}

function rotate<Run>(lines: readonly (Line & { readonly runs: readonly Run[] })[]): readonly Run[] {
  const sorted = lines.toSorted(byTurn)
  const longest = Math.max(0, ...sorted.map(({ runs }) => runs.length))
  return Array.from({ length: longest }, (_, at) => sorted.flatMap(({ runs }) => runs.slice(at, at + 1))).flat()
}

function byTurn(a: Line, b: Line): number {
  return a.servedAt - b.servedAt || compare(a.head, b.head)
}

function topOf(teamPath: string): string {
  return teamPath.split('/', 1)[0] ?? teamPath
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
