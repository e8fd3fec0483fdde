/** A queued run as its turn is found. */
export interface QueuedRun {
  readonly id: string
  readonly team_path: string
  readonly priority: number
  /** When a run of its team last began in its lane; null: none has. */
  readonly served_at: Date | null
}

/** The queued runs of one team, or of all teams below one topmost team. */
interface Line {
  readonly servedAt: number
  /** The run that is first in it. */
  readonly head: string
}

/**
 * The order in which queued runs begin. Topmost teams take turns, and so do the teams below each of them; the team that was
 * served longest ago is next. Within a team the higher priority goes first, then the older run (ids are ordered by time).
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

/** The turn of one team in the queue of a lane. */
export interface TeamTurn {
  readonly team_path: string
  /** The run of it that is first. */
  readonly head: string
  readonly served_at: Date | null
}

/** Of the runs that these teams have in the queue `most` at most begin before another one. */
export interface Share {
  readonly teams: readonly string[]
  readonly most: number
}

/**
 * The shares of other teams that begin before a run of `teamPath`, by the order of `takeTurns`. `ahead` counts the runs of
 * its own team before it. Shares of teams below the same topmost team come first. The sum of these decides how many runs of
 * the other topmost teams begin before.
 */
export function sharesBefore(turns: readonly TeamTurn[], teamPath: string): readonly ((ahead: number) => Share[])[] {
  const lines = turns.map(({ team_path, head, served_at }) => ({
    teams: [team_path],
    head,
    servedAt: served_at?.getTime() ?? 0,
  }))
  const tops = [...Map.groupBy(lines, ({ teams: [path = ''] }) => topOf(path)).values()].flatMap((members) => {
    const [first] = members.toSorted(byTurn)
    const servedAt = Math.max(...members.map((member) => member.servedAt))
    return first ? [{ teams: members.flatMap(({ teams }) => teams), head: first.head, servedAt, members }] : []
  })
  const top = tops.find(({ teams }) => teams.includes(teamPath))
  const own = top?.members.find(({ teams }) => teams.includes(teamPath))
  return top && own ? [(ahead) => sharesOf(top.members, own, ahead), (ahead) => sharesOf(tops, top, ahead)] : []
}

/** As many of each other line as of the own one, and one more of those whose turn is before. */
function sharesOf(lines: readonly (Line & { readonly teams: readonly string[] })[], own: Line, ahead: number): Share[] {
  return lines.flatMap((line) => {
    const most = ahead + (byTurn(line, own) < 0 ? 1 : 0)
    return line === own || most === 0 ? [] : [{ teams: line.teams, most }]
  })
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
