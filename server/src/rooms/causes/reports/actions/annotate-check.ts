import type { CheckAnnotation } from '#adapters/forges'
import type { Means } from '../means.ts'
import { MARKED, MAX_ANNOTATIONS, nextTry, readMark } from '../rules/index.ts'
import { ANNOTATE_JOB, type StatusReport } from '../store/report-jobs.ts'
import { type CheckRow, findCheck, noteAnnotations } from '../store/run-reports.ts'
import { type CheckTeller, type FoundReport, findReport } from './find-report.ts'
import { callForChecks, describeAsCheck } from './tell-check.ts'
import { withinTime } from './within-time.ts'

/**
 * Sets the marks of a finished run's log at their files, as many in a call as the provider takes. A provider adds them to
 * those that are there: where an answer was lost, it is asked how many it has.
 */
export async function annotateCheck(means: Means, report: StatusReport, signal: AbortSignal): Promise<void> {
  const db = means.database.kysely
  const { runId } = report
  const [run, check] = [await means.runs.findStanding(db, runId), await findCheck(db, runId)]
  const checkId = check?.checkId ?? null
  if (!run?.finishedAt || !check || checkId === null) return
  const found = await findReport(means, run)
  if ('nothing' in found || found.teller.kind !== 'check') return
  const { texts, more } = await means.logs.findTexts(runId, MARKED, MAX_ANNOTATIONS)
  const marks = texts.flatMap((text) => readMark(text) ?? [])
  if (marks.length === 0) return
  const described = await describeAsCheck(means, found, run, { count: marks.length, more })
  const annotating: Annotating = { ...found, teller: found.teller, row: { ...check, checkId }, marks }
  const failure = await annotate(means, annotating, described.check, signal)
  if (failure === undefined) return
  const next = failure.retry ? nextTry(new Date(report.since), means.clock.now()) : undefined
  const fields = { run: runId, source: found.source.id, reason: failure.reason }
  if (!next) return means.log.warn(fields, 'the marks of a log cannot be told to its provider')
  await means.jobs.add(db, ANNOTATE_JOB, report, { key: `annotate:${runId}`, runAt: next })
}

interface Annotating extends FoundReport {
  readonly teller: CheckTeller
  readonly row: CheckRow & { readonly checkId: string }
  readonly marks: readonly CheckAnnotation[]
}

interface Failure {
  readonly reason: string
  readonly retry: boolean
}

const GONE: Failure = { reason: 'The provider does not show the check to the app.', retry: false }

/** Undefined: all marks are there. */
async function annotate(
  means: Means,
  { teller: { checks }, row, marks, ...found }: Annotating,
  check: Parameters<typeof checks.annotate>[2],
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const db = means.database.kysely
  let { annotated } = row
  if (row.annotating) {
    const counted = await withinTime(means, signal, (ends) =>
      callForChecks(means, found, ends, (connection) =>
        checks.countAnnotations(connection, check.repository, row.checkId),
      ),
    )
    if (counted.outcome !== 'found') return counted.outcome === 'failed' ? counted : GONE
    annotated = counted.value
  }
  while (annotated < marks.length) {
    const batch = marks.slice(annotated, annotated + checks.annotationsPerCall)
    await noteAnnotations(db, row.runId, { annotated, annotating: true })
    const answer = await withinTime(means, signal, (ends) =>
      callForChecks(means, found, ends, (connection) => checks.annotate(connection, row.checkId, check, batch)),
    )
    means.failPoints.hit('reports.after_annotations')
    if (answer.outcome !== 'found') return answer.outcome === 'failed' ? answer : GONE
    annotated += batch.length
    await noteAnnotations(db, row.runId, { annotated, annotating: false })
  }
  if (row.annotating) await noteAnnotations(db, row.runId, { annotated, annotating: false })
  return undefined
}
