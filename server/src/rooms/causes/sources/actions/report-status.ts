import type { ForgeAnswer } from '#adapters/forges'
import { addressOfPages } from '#platform/config'
import type { Tx } from '#platform/database'
import type { Means } from '../means.ts'
import type { ReportOutcome } from '../metrics.ts'
import { describeRun, nextTry, type StatusText, tellsInstead } from '../rules/index.ts'
import { lockStatus, releaseStatus, reserveStatus } from '../store/commit-statuses.ts'
import { REPORT_JOB, type StatusReport } from '../store/report-jobs.ts'
import { type FoundReport, findReport } from './find-report.ts'

/** A report, with where the provider is told of it. */
interface DueReport extends FoundReport {
  readonly report: StatusReport
}

/** All calls of one report. */
const CALL_MS = 12_000
/** Longer than a call, which therefore ends first. A killed process keeps the next report waiting so long. */
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
  if (paused) return tryAgain(means, due, paused)
  const reservedUntil = new Date(means.clock.now().getTime() + RESERVED_MS)
  const reserved = await means.database.transaction((tx) => reserve(means, tx, due, reservedUntil))
  switch (reserved.outcome) {
    case 'reserved':
      return tell(means, due, { reservedUntil, told: reserved.told }, signal)
    case 'outdated':
      return note(means, due, 'outdated', 'A newer run of the pipeline tells of the commit.')
    case 'busy':
      return comeBack(means, report, new Date(means.clock.now().getTime() + BUSY_MS))
  }
}

type Reservation =
  | { readonly outcome: 'reserved'; readonly told: string | null }
  | { readonly outcome: 'outdated' | 'busy' }

async function reserve(
  means: Means,
  tx: Tx,
  { place, report: { runId } }: DueReport,
  reservedUntil: Date,
): Promise<Reservation> {
  const stored = await lockStatus(tx, place, runId)
  if (stored.heldUntil !== null && stored.heldUntil > means.clock.now()) return { outcome: 'busy' }
  if (stored.runId !== runId) {
    const [run, other] = [await means.runs.findStanding(tx, runId), await means.runs.findStanding(tx, stored.runId)]
    if (!run || !tellsInstead(run, other)) return { outcome: 'outdated' }
  }
  await reserveStatus(tx, place, runId, reservedUntil)
  return { outcome: 'reserved', told: stored.runId === runId ? stored.told : null }
}

interface Reserved {
  readonly reservedUntil: Date
  /** The status that the provider took last. */
  readonly told: string | null
}

async function tell(
  means: Means,
  due: DueReport,
  { reservedUntil, told }: Reserved,
  signal: AbortSignal,
): Promise<void> {
  const db = means.database.kysely
  // Not before it is reserved: whatever happens to the run from now on has a report of its own that comes after this one.
  const run = await means.runs.findStanding(db, due.report.runId)
  if (!run) return releaseStatus(db, due.place, reservedUntil, told)
  const text = describeRun(run)
  const telling = `${text.state}: ${text.description}`
  if (telling === told) return releaseStatus(db, due.place, reservedUntil, told)
  means.failPoints.hit('sources.before_report')
  const answer = await call(means, due, text, signal)
  means.failPoints.hit('sources.after_report')
  await releaseStatus(db, due.place, reservedUntil, answer.outcome === 'found' ? telling : null)
  switch (answer.outcome) {
    case 'found':
      means.pauses.answered(due.source.id)
      return means.ingress.metrics.reported(due.source.provider, 'reported')
    case 'not_found':
      means.pauses.answered(due.source.id)
      return note(means, due, 'refused', 'The provider does not show the commit to the credential.')
    case 'failed':
      if (!answer.retry) return note(means, due, 'refused', answer.reason)
      means.pauses.failed(due.source.id)
      return tryAgain(means, due, undefined, answer.reason)
  }
}

async function call(
  means: Means,
  { source, status, baseUrl, repository, ref, place, report }: DueReport,
  { state, description }: StatusText,
  signal: AbortSignal,
): Promise<ForgeAnswer<null>> {
  // A source cannot report without a reference; the reference may have gone between two reads.
  if (source.checkoutCredentialRef === null) return unusable('The source names none.')
  const read = await means.secrets.read(means.database.kysely, source.checkoutCredentialRef, source.teamPath)
  if ('unusable' in read) return unusable(read.unusable)
  const limit = new AbortController()
  const timer = means.clock.after(CALL_MS, () => limit.abort())
  try {
    const connection = { baseUrl, token: read.values[0], signal: AbortSignal.any([signal, limit.signal]) }
    const { commitSha, context } = place
    const targetUrl = `${addressOfPages(means.config)}/v1/runs/${report.runId}`
    const answer = await status.report(connection, {
      repository,
      commitSha,
      ref,
      state,
      context,
      description,
      targetUrl,
    })
    if (answer.outcome !== 'failed') means.secrets.markUsed(read)
    return answer
  } finally {
    timer.cancel()
  }
}

function unusable(why: string): ForgeAnswer<never> {
  return { outcome: 'failed', reason: `The credential of the source cannot be used: ${why}`, retry: false }
}

/** By the age of the report, but not before `earliest`; given up where that is too late. */
async function tryAgain(
  means: Means,
  due: DueReport,
  earliest: Date | undefined,
  reason = 'The provider failed call after call.',
): Promise<void> {
  const next = nextTry(new Date(due.report.since), means.clock.now())
  if (!next) return note(means, due, 'given_up', reason)
  if (earliest === undefined) note(means, due, 'retried', reason)
  await comeBack(means, due.report, earliest !== undefined && earliest > next ? earliest : next)
}

/** Under a key of its own, so that it does not put off a report that something newer queued. */
async function comeBack(means: Means, report: StatusReport, runAt: Date): Promise<void> {
  await means.jobs.add(means.database.kysely, REPORT_JOB, report, { key: `${report.runId}:again`, runAt })
}

/** No reason holds a credential: see `ForgeAnswer` and `Secrets.read`. */
function note(means: Means, { source, place, report }: DueReport, outcome: ReportOutcome, reason: string): void {
  means.ingress.metrics.reported(source.provider, outcome)
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
