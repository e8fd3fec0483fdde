import type { ForgeAnswer } from '#adapters/forges'
import type { Tx } from '#platform/database'
import type { RunStanding } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import type { ReportOutcome } from '../metrics.ts'
import { describeRun, nextTry, tellsInstead } from '../rules/index.ts'
import { lockStatus, releaseStatus, reserveStatus } from '../store/commit-statuses.ts'
import { ANNOTATE_JOB, REPORT_JOB, type StatusReport } from '../store/report-jobs.ts'
import {
  beginReport,
  endReport,
  findCheck,
  giveUpReport,
  keepReport,
  type ReportBefore,
  type RunReport,
} from '../store/run-reports.ts'
import { type FoundReport, findReport } from './find-report.ts'
import { describeAsCheck, tellCheck } from './tell-check.ts'
import { describeAsStatus, tellStatus } from './tell-status.ts'
import { withinTime } from './within-time.ts'

/** A report, with where the provider is told of it. */
interface DueReport extends FoundReport {
  readonly report: StatusReport
}

/** Longer than `CALL_MS`: the call ends first. A killed process keeps the next report waiting so long. */
const RESERVED_MS = 15_000
const BUSY_MS = 1_000

/**
 * Tells the provider of a run's source where the run stands now: whatever it was queued for, an old state is never
 * told. One report at a time tells of a status. A report that meets another one, or a failing provider, comes back
 * later. Called at least once; a told state is not told again.
 */
export async function reportStatus(means: Means, report: StatusReport, signal: AbortSignal): Promise<void> {
  const run = await means.runs.findStanding(means.database.kysely, report.runId)
  if (!run) return
  const found = await findReport(means, run)
  if ('nothing' in found) {
    means.log.debug({ run: run.id, reason: found.nothing }, 'nobody is told of the status of a run')
    return
  }
  const due: DueReport = { ...found, report }
  const paused = means.pauses.until(due.source.id)
  if (paused) return tryAgain(means, due, { earliest: paused })
  const reservedUntil = new Date(means.clock.now().getTime() + RESERVED_MS)
  const reserved = await means.database.transaction((tx) => reserve(means, tx, due, reservedUntil))
  switch (reserved.outcome) {
    case 'reserved':
      return tell(means, due, { reservedUntil, before: reserved.before }, signal)
    case 'outdated':
      return note(means, due, 'outdated', 'A newer run of the pipeline tells of the commit.')
    case 'busy':
      return comeBack(means, report, new Date(means.clock.now().getTime() + BUSY_MS))
  }
}

type Reservation =
  | { readonly outcome: 'reserved'; readonly before: ReportBefore }
  | { readonly outcome: 'outdated' | 'busy' }

async function reserve(means: Means, tx: Tx, due: DueReport, reservedUntil: Date): Promise<Reservation> {
  const {
    place,
    teller,
    report: { runId },
  } = due
  const stored = await lockStatus(tx, place, runId)
  if (stored.heldUntil !== null && stored.heldUntil > means.clock.now()) return { outcome: 'busy' }
  let telling = runId
  if (stored.runId !== runId) {
    const [run, other] = [await means.runs.findStanding(tx, runId), await means.runs.findStanding(tx, stored.runId)]
    if (!run || !tellsInstead(run, other)) {
      // A check is of one run, and would seem to run for ever. The provider shows the one that was made last.
      const check = teller.kind === 'check' ? await findCheck(tx, runId) : undefined
      if (!run || !check) return { outcome: 'outdated' }
      telling = stored.runId
    }
  }
  await reserveStatus(tx, place, telling, reservedUntil)
  const before = await beginReport(tx, reportOf(due))
  // A status has one place for all runs of it: what another run told of it is no more there.
  const told = teller.kind === 'check' ? before.told : stored.runId === runId ? stored.told : null
  return { outcome: 'reserved', before: { ...before, told } }
}

interface Reserved {
  readonly reservedUntil: Date
  /** With the state that the provider took last. */
  readonly before: ReportBefore
}

async function tell(means: Means, due: DueReport, reserved: Reserved, signal: AbortSignal): Promise<void> {
  const { place } = due
  const { reservedUntil, before } = reserved
  const db = means.database.kysely
  // Not before it is reserved: whatever happens to the run from now on has a report of its own that comes after this one.
  const run = await means.runs.findStanding(db, due.report.runId)
  const telling = run && (await describe(means, due, run))
  if (!run || !telling || telling.told === before.told) {
    await keepReport(db, reportOf(due), before)
    return releaseStatus(db, place, reservedUntil, before.told)
  }
  means.failPoints.hit('sources.before_report')
  const answer = await withinTime(means, signal, (ends) => telling.call(before, ends))
  means.failPoints.hit('sources.after_report')
  const isTold = answer.outcome === 'found'
  if (isTold) await endReport(db, reportOf(due), { state: telling.state, told: telling.told, at: means.clock.now() })
  await releaseStatus(db, place, reservedUntil, isTold ? telling.told : null)
  switch (answer.outcome) {
    case 'found':
      means.pauses.answered(due.source.id)
      if (telling.isLast && due.teller.kind === 'check') await queueAnnotations(means, run.id)
      return means.reportMetrics.reported(due.source.provider, 'reported')
    case 'not_found':
      means.pauses.answered(due.source.id)
      return giveUp(means, due, 'refused', 'The provider does not show the commit to the credential.')
    case 'failed':
      if (!answer.retry) return giveUp(means, due, 'refused', answer.reason)
      means.pauses.failed(due.source.id)
      return tryAgain(means, due, { reason: answer.reason, after: answer.retryAfterMs })
  }
}

/** What there is to tell, and the call that tells it. */
interface Telling {
  readonly state: string
  /** The same text twice is told once. */
  readonly told: string
  /** Whether nothing comes after it. */
  readonly isLast: boolean
  call(before: ReportBefore, ends: AbortSignal): Promise<ForgeAnswer<null>>
}

async function describe(means: Means, due: DueReport, run: RunStanding): Promise<Telling> {
  const { teller } = due
  const { state, description } = describeRun(run)
  const isLast = run.finishedAt !== null
  if (teller.kind === 'status') {
    const status = describeAsStatus(means, due, run)
    const call: Telling['call'] = (_before, ends) => tellStatus(means, due, { teller, status }, ends)
    return { state, told: `${state}: ${description}`, isLast, call }
  }
  const { check, digest } = await describeAsCheck(means, due, run)
  const shown = check.conclusion ?? check.status
  return {
    state: shown,
    told: `${shown}: ${check.title} ${digest}`,
    isLast,
    call: (before, ends) => tellCheck(means, due, { teller, check, before }, ends),
  }
}

function reportOf({ report: { runId }, teller: { kind }, place }: DueReport): RunReport {
  return { runId, kind, place }
}

interface Again {
  readonly earliest?: Date
  readonly reason?: string
  /** After how many milliseconds the provider wants to be asked again. */
  readonly after?: number | undefined
}

/** By the age of the report, but not before `earliest`; given up where that is too late. */
async function tryAgain(means: Means, due: DueReport, again: Again): Promise<void> {
  const { earliest, reason = 'The provider failed call after call.', after = 0 } = again
  const now = means.clock.now()
  const next = nextTry(new Date(due.report.since), now)
  if (!next) return giveUp(means, due, 'given_up', reason)
  if (earliest === undefined) note(means, due, 'retried', reason)
  const soonest = Math.max(next.getTime(), earliest?.getTime() ?? 0, now.getTime() + after)
  await comeBack(means, due.report, new Date(soonest))
}

/** Under a key of its own, so that it does not put off a report that something newer queued. */
async function comeBack(means: Means, report: StatusReport, runAt: Date): Promise<void> {
  await means.jobs.add(means.database.kysely, REPORT_JOB, report, { key: `${report.runId}:again`, runAt })
}

async function queueAnnotations(means: Means, runId: string): Promise<void> {
  const since = means.clock.now().toISOString()
  await means.jobs.add(means.database.kysely, ANNOTATE_JOB, { runId, since }, { key: `annotate:${runId}` })
}

/** The reason is kept with the run, where people ask why their commit shows nothing. */
async function giveUp(means: Means, due: DueReport, outcome: 'given_up' | 'refused', reason: string): Promise<void> {
  await giveUpReport(means.database.kysely, reportOf(due), reason, means.clock.now())
  note(means, due, outcome, reason)
}

/** No reason holds a credential: see `ForgeAnswer` and `GitApps.call`. */
function note(means: Means, { source, place, report }: DueReport, outcome: ReportOutcome, reason: string): void {
  means.reportMetrics.reported(source.provider, outcome)
  const fields = { run: report.runId, source: source.id, repository: place.repository, commit: place.commitSha, reason }
  switch (outcome) {
    case 'reported':
    case 'outdated':
    case 'retried':
      means.log.debug(fields, 'a status was not told to its provider now')
      return
    case 'refused':
    case 'given_up':
      means.log.warn(fields, 'a status cannot be told to its provider')
  }
}
