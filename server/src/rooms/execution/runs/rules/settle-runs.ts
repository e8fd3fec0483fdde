import { isAskedFor, isNewer } from './newer-run.ts'
import { cancelOf, type RunChange, type StandingRun } from './standing-run.ts'

export interface Settling {
  /** The runs to decide about, and the others of their groups and pull requests that have not finished. */
  readonly runs: readonly StandingRun[]
  /** Ids of the runs to decide about, in their order: for each one those behind it are not there yet. */
  readonly given: readonly string[]
  /** True: the runs were just queued. False: a member approved them, and only now they enter their groups. */
  readonly arrived: boolean
}

/**
 * The effect of queued runs on others of their group and pull request: queued runs end others, wait for their turn, or end
 * at once. Each run changes at most once.
 */
export function settleRuns({ runs, given, arrived }: Settling): readonly RunChange[] {
  const undecided = new Set(given)
  const byId = new Map(runs.map((run) => [run.id, run]))
  const standing = new Map([...byId].filter(([id]) => !undecided.has(id)))
  const changes = new Map<string, RunChange>()
  for (const id of given) {
    const run = byId.get(id)
    if (run?.status !== 'queued') continue
    const others = [...standing.values()]
    standing.set(id, run)
    for (const change of judge(run, others, arrived)) {
      changes.set(change.id, { ...changes.get(change.id), ...change })
      const before = standing.get(change.id)
      if (change.ends !== undefined) standing.delete(change.id)
      else if (before) standing.set(change.id, afterChange(before, change))
    }
  }
  return [...changes.values()]
}

/** Ids are in the order in which they were made. */
function byAge(one: StandingRun, other: StandingRun): number {
  return one.id < other.id ? -1 : 1
}

function afterChange(run: StandingRun, { cancels, waits, note }: RunChange): StandingRun {
  return {
    ...run,
    isCanceling: run.isCanceling || cancels !== undefined,
    withheld: waits ? 'group' : run.withheld,
    note: note ?? run.note,
  }
}

function judge(run: StandingRun, others: readonly StandingRun[], arrived: boolean): readonly RunChange[] {
  const outdated = arrived ? judgePullRequest(run, others) : []
  // Until a member approves it, the run stands outside its group: a stranger's run ends and delays nobody's.
  if (run.group === null || isHeld(run) || endsItself(run, outdated)) return outdated
  const ended = new Set(outdated.map((change) => change.id))
  const rivals = others.filter(
    (other) => other.teamPath === run.teamPath && other.group === run.group && !ended.has(other.id),
  )
  return [...outdated, ...judgeGroup(run, rivals)]
}

function isHeld(run: StandingRun): boolean {
  return run.withheld === 'fork_approval'
}

function endsItself(run: StandingRun, changes: readonly RunChange[]): boolean {
  return changes.some((change) => change.id === run.id)
}

/**
 * Nobody needs to approve a commit that is no longer the newest of its pull request. A rerun of an old commit tells of no
 * newer one, and neither does the source of another team.
 */
function judgePullRequest(run: StandingRun, others: readonly StandingRun[]): readonly RunChange[] {
  if (run.cause !== 'event' || run.pullRequest === null || run.repository === null) return []
  const held = others.filter((other) => isHeld(other) && isOfSamePullRequest(other, run) && hasOtherCommit(other, run))
  const ends = 'A newer commit of the pull request arrived.'
  if (isHeld(run) && held.some((other) => isNewer(other, run))) return [{ id: run.id, ends }]
  return held.filter((other) => isNewer(other, run) !== true).map(({ id }) => ({ id, ends }))
}

function isOfSamePullRequest(one: StandingRun, other: StandingRun): boolean {
  return (
    one.repository === other.repository &&
    one.pullRequest === other.pullRequest &&
    one.cloneUrl === other.cloneUrl &&
    one.teamPath === other.teamPath
  )
}

/** Unknown commits do not count as different. */
function hasOtherCommit(one: StandingRun, other: StandingRun): boolean {
  return one.commitSha !== null && other.commitSha !== null && one.commitSha !== other.commitSha
}

function judgeGroup(run: StandingRun, rivals: readonly StandingRun[]): readonly RunChange[] {
  const [before] = rivals.filter((other) => !isHeld(other)).sort(byAge)
  if (run.onConflict === 'queue') return before ? [{ id: run.id, waits: true }] : []
  if (run.onConflict === 'skip') {
    return before ? [{ id: run.id, ends: `Skipped: run ${before.id} of the group ${run.group} has not finished.` }] : []
  }
  return takePlace(run, rivals)
}

/** The run ends all that is older, unless something newer is there already. */
function takePlace(run: StandingRun, rivals: readonly StandingRun[]): readonly RunChange[] {
  const active = rivals.filter((other) => !other.isCanceling)
  const isOutdated = active.some(
    (other) => !isHeld(other) && other.commitSha !== run.commitSha && isNewer(other, run) === true,
  )
  if (isOutdated) return [{ id: run.id, ends: 'A newer commit runs already.' }]
  // Runs of one event are no older and no newer than each other.
  const foreign = active.filter((other) => other.eventId === null || other.eventId !== run.eventId)
  const older = new Set(foreign.filter((other) => takesPlaceOf(run, other)))
  const kept = foreign
    .filter((other) => !older.has(other) && !isHeld(other))
    .sort(byAge)
    .at(-1)
  const reason = `Run ${run.id} of the group ${run.group} took its place.`
  const ended = [...older].flatMap((other) => cancelOf(other, reason) ?? [])
  return kept ? [...ended, { id: run.id, note: addNote(run, kept) }] : ended
}

/** A run that somebody asked for replaces every run that is not known to be newer. */
function takesPlaceOf(run: StandingRun, other: StandingRun): boolean {
  if (run.commitSha !== null && run.commitSha === other.commitSha) return true
  return isNewer(run, other) === true || (isAskedFor(run) && isNewer(other, run) !== true)
}

function addNote(run: StandingRun, kept: StandingRun): string {
  const note = `Run ${kept.id} of the group ${run.group} goes on: whose commit is newer cannot be told.`
  return run.note === null ? note : `${run.note} ${note}`
}
