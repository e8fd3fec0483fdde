import type { ForgeAnswer } from '#adapters/forges'
import { addressOfPages } from '#platform/config'
import type { Tx } from '#platform/database'
import type { Kit } from '#platform/room'
import type { SourceNeeds } from '../index.ts'
import type { ReportOutcome, SourceMetrics } from '../metrics.ts'
import { describeRun, nextTry, type StatusText, tellsInstead } from '../rules/index.ts'
import { holdStatus, lockStatus, releaseStatus } from '../store/commit-statuses.ts'
import { REPORT_JOB, type StatusReport } from '../store/report-jobs.ts'
import { type FoundReport, findReport } from './find-report.ts'
import type { Pauses } from './pause-calls.ts'

export interface Reporting {
  readonly needs: Pick<SourceNeeds, 'audit' | 'forges' | 'runs' | 'secrets'>
  readonly metrics: Pick<SourceMetrics, 'reported'>
  readonly pauses: Pauses
}

/** All calls of one report. */
const CALL_MS = 12_000
/** Longer than a call, so that it is over when its time is; a killed process keeps the next report waiting so long. */
const HOLD_MS = 15_000
const BUSY_MS = 1_000

/**
 * Tells the provider of a run's source where the run stands now: whatever it was queued for, an old state is never told.
 * One at a time tells of a status; who finds it held, or the provider failing, comes back later. Called at least once;
 * what was told already is not told again.
 */
export async function reportStatus(
  kit: Kit,
  reporting: Reporting,
  report: StatusReport,
  signal: AbortSignal,
): Promise<void> {
  const run = await reporting.needs.runs.findStanding(kit.database.kysely, report.runId)
  if (!run) return
  const found = await findReport(kit, reporting.needs, run)
  if ('nothing' in found) {
    kit.log.debug({ run: run.id, reason: found.nothing }, 'nobody is told of the status of a run')
    return
  }
  const paused = reporting.pauses.until(found.source.id)
  if (paused) return tryAgain(kit, reporting, found, report, paused)
  const heldUntil = new Date(kit.clock.now().getTime() + HOLD_MS)
  const held = await kit.database.transaction((tx) => hold(kit, reporting, tx, found, report.runId, heldUntil))
  switch (held.outcome) {
    case 'held':
      return tell(kit, reporting, found, report, { heldUntil, told: held.told }, signal)
    case 'outdated':
      return note(kit, reporting, found, report, 'outdated', 'A newer run of the pipeline tells of the commit.')
    case 'busy':
      return comeBack(kit, report, new Date(kit.clock.now().getTime() + BUSY_MS))
  }
}

type Hold = { readonly outcome: 'held'; readonly told: string | null } | { readonly outcome: 'outdated' | 'busy' }

async function hold(
  kit: Kit,
  { needs }: Reporting,
  tx: Tx,
  { place }: FoundReport,
  runId: string,
  heldUntil: Date,
): Promise<Hold> {
  const stored = await lockStatus(tx, place, runId)
  if (stored.heldUntil !== null && stored.heldUntil > kit.clock.now()) return { outcome: 'busy' }
  if (stored.runId !== runId) {
    const [run, other] = [await needs.runs.findStanding(tx, runId), await needs.runs.findStanding(tx, stored.runId)]
    if (!run || !tellsInstead(run, other)) return { outcome: 'outdated' }
  }
  await holdStatus(tx, place, runId, heldUntil)
  return { outcome: 'held', told: stored.runId === runId ? stored.told : null }
}

interface Held {
  readonly heldUntil: Date
  /** What the provider took last. */
  readonly told: string | null
}

async function tell(
  kit: Kit,
  reporting: Reporting,
  found: FoundReport,
  report: StatusReport,
  { heldUntil, told }: Held,
  signal: AbortSignal,
): Promise<void> {
  const db = kit.database.kysely
  // Not before it is held: whatever happens to the run from now on has a report of its own that comes after this one.
  const run = await reporting.needs.runs.findStanding(db, report.runId)
  if (!run) return releaseStatus(db, found.place, heldUntil, told)
  const text = describeRun(run)
  const telling = `${text.state}: ${text.description}`
  if (telling === told) return releaseStatus(db, found.place, heldUntil, told)
  kit.failPoints.hit('sources.before_report')
  const answer = await call(kit, reporting, found, report.runId, text, signal)
  kit.failPoints.hit('sources.after_report')
  await releaseStatus(db, found.place, heldUntil, answer.outcome === 'found' ? telling : null)
  switch (answer.outcome) {
    case 'found':
      reporting.pauses.answered(found.source.id)
      return reporting.metrics.reported(found.source.provider, 'reported')
    case 'not_found':
      reporting.pauses.answered(found.source.id)
      return note(kit, reporting, found, report, 'refused', 'The provider does not show the commit to the credential.')
    case 'failed':
      if (!answer.retry) return note(kit, reporting, found, report, 'refused', answer.reason)
      reporting.pauses.failed(found.source.id)
      return tryAgain(kit, reporting, found, report, undefined, answer.reason)
  }
}

async function call(
  kit: Kit,
  { needs }: Reporting,
  { source, status, baseUrl, repository, ref, place }: FoundReport,
  runId: string,
  { state, description }: StatusText,
  signal: AbortSignal,
): Promise<ForgeAnswer<null>> {
  // A source cannot report without a reference; one that was taken away between two reads is no credential either.
  if (source.checkoutCredentialRef === null) return unusable('The source names none.')
  const read = await needs.secrets.read(kit.database.kysely, source.checkoutCredentialRef, source.teamPath)
  if ('unusable' in read) return unusable(read.unusable)
  const limit = new AbortController()
  const timer = kit.clock.after(CALL_MS, () => limit.abort())
  try {
    const connection = { baseUrl, token: read.values[0], signal: AbortSignal.any([signal, limit.signal]) }
    const { commitSha, context } = place
    const targetUrl = `${addressOfPages(kit.config)}/v1/runs/${runId}`
    const answer = await status.report(connection, {
      repository,
      commitSha,
      ref,
      state,
      context,
      description,
      targetUrl,
    })
    if (answer.outcome !== 'failed') needs.secrets.markUsed(read)
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
  kit: Kit,
  reporting: Reporting,
  found: FoundReport,
  report: StatusReport,
  earliest: Date | undefined,
  reason = 'The provider failed call after call.',
): Promise<void> {
  const next = nextTry(new Date(report.since), kit.clock.now())
  if (!next) return note(kit, reporting, found, report, 'given_up', reason)
  if (earliest === undefined) note(kit, reporting, found, report, 'retried', reason)
  await comeBack(kit, report, earliest !== undefined && earliest > next ? earliest : next)
}

/** Under a key of its own, so that it does not put off a report that something newer queued. */
async function comeBack(kit: Kit, report: StatusReport, runAt: Date): Promise<void> {
  await kit.jobs.add(kit.database.kysely, REPORT_JOB, report, { key: `${report.runId}:again`, runAt })
}

/** No reason holds a credential: see `ForgeAnswer` and `Secrets.read`. */
function note(
  kit: Kit,
  { metrics }: Reporting,
  { source, place }: FoundReport,
  { runId: run }: StatusReport,
  outcome: ReportOutcome,
  reason: string,
): void {
  metrics.reported(source.provider, outcome)
  const fields = { run, source: source.id, repository: place.repository, commit: place.commitSha, reason }
  switch (outcome) {
    case 'reported':
    case 'outdated':
    case 'retried':
      kit.log.debug(fields, 'a status was not told to its provider now')
      return
    case 'refused':
    case 'given_up':
      kit.log.warn(fields, 'a status cannot be told to its provider')
  }
}
