import { execute, type Queryable, type Statement } from '#platform/database'
import type { StartedOfSource } from '#rooms/causes/sources'
import type { Means } from '../means.ts'
import type { PullRequestPlace } from '../rules/index.ts'
import { queueingComments, queueingReports, queueingReruns } from '../store/report-jobs.ts'
import { recordingComments, showRun } from '../store/sticky-comments.ts'

/** For the transaction that starts the runs. */
export function reporting(means: Means, started: readonly StartedOfSource[]): readonly Statement[] {
  const runIds = started.flatMap(({ reportsStatus, plan }) =>
    reportsStatus ? plan.starts.map(({ run }) => run.id) : [],
  )
  const commented = started.flatMap((one) => readCommented(one) ?? [])
  const reruns = started.flatMap(({ plan }) => {
    const isAsked = plan.event.kind === 'check' && plan.event.action === 'rerequested' && plan.repeats === null
    return isAsked && plan.deliveryRecordId !== null ? [plan.deliveryRecordId] : []
  })
  if (commented.length > 0) means.commented.noteAny()
  return [
    ...(runIds.length === 0 ? [] : [queueingReports(means, runIds)]),
    ...(commented.length === 0 ? [] : [recordingComments(commented)]),
    ...(commented.length === 0
      ? []
      : [
          queueingComments(
            means,
            commented.map(({ place }) => place),
          ),
        ]),
    ...(reruns.length === 0 ? [] : [queueingReruns(means, reruns)]),
  ]
}

function readCommented({ plan }: StartedOfSource) {
  const { commented = [], event, sourceId, starts } = plan
  const number = event.pull_request?.number
  if (commented.length === 0 || sourceId === null || number === undefined) return undefined
  const place = { sourceId, repository: event.repository.full_name, number }
  const started = new Set(starts.map(({ run }) => run.id))
  return {
    place,
    // Random where it counts: somebody who could guess it could have their own comment taken for ours.
    marker: crypto.randomUUID(),
    runIds: commented.flatMap(({ runId }) => (runId !== null && started.has(runId) ? [runId] : [])),
    notes: commented.flatMap(({ name, pipeline, runId, reason }) =>
      runId === null && reason !== null ? [{ name, pipeline, reason }] : [],
    ),
  }
}

/** A run that a delivery started, or that repeats one, stands elsewhere than before. */
export async function reportMoved(means: Means, runId: string): Promise<void> {
  const db = means.database.kysely
  const run = await means.runs.findStanding(db, runId)
  if (!run || run.deliveryRecordId === null) return
  const source = await means.sources.findToldOf(db, run.deliveryRecordId)
  if (source?.reportStatus) await execute(db, queueingReports(means, [runId]))
  const place = await showRun(db, { runId, originId: run.originId })
  if (place) await refreshComment(means, db, place)
}

export async function refreshComment(means: Means, db: Queryable, place: PullRequestPlace): Promise<void> {
  await execute(db, queueingComments(means, [place]))
}
