import type { RunStart } from '@signalbox/contracts/runs'
import type { Tx } from '#platform/database'
import { principalOf, type RequestOrigin, requireVisible } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means, QueueingKit } from '../means.ts'
import { chooseCheckout, requirePlace } from './choose-checkout.ts'
import { queueRuns } from './queue-runs.ts'
import { requireStart } from './require-start.ts'

/** The answer to a request: its run, and the commit or the note of its checkout. */
export interface StartedRun {
  readonly id: string
  readonly commitSha: string | null
  readonly note: string | null
}

/** Queues the run that was prepared, with these means: those of a dry run hear what is decided. */
export type Queueing<Started> = (tx: Tx, kit: QueueingKit) => Promise<Started>

/** Queues a run of a pipeline on request. */
export async function startRun(
  means: Means,
  origin: RequestOrigin,
  idOrIdentifier: string,
  input: RunStart,
): Promise<StartedRun> {
  const queue = await prepareStart(means, origin, idOrIdentifier, input)
  return await means.database.transaction((tx) => queue(tx, means))
}

/** Checks all that a start takes; answers what queues the run in a transaction. */
export async function prepareStart(
  means: Means,
  origin: RequestOrigin,
  idOrIdentifier: string,
  input: RunStart,
): Promise<Queueing<StartedRun>> {
  const { caller } = origin
  const db = means.database.kysely
  const row = requireVisible(caller, 'pipeline.read', await means.pipelines.find(db, idOrIdentifier), () =>
    platformProblem('not_found', `There is no pipeline ${idOrIdentifier} that you may see.`),
  )
  const namesRepository = input.clone_url !== undefined || input.repository !== undefined
  const { pipeline, scope } = await requireStart(means, db, caller, {
    pipeline: row.identifier,
    scope: input.scope,
    variables: input.variables ?? {},
    namesRepository,
  })
  requirePlace(means, input)
  const { teamPath } = pipeline
  const graph = await means.pipelines.getGraph(db, pipeline.versionId)
  // Over the network: last, and before the transaction.
  const checkout = await chooseCheckout(means.above.findCheckout, { caller, input, graph, teamPath })
  return async (tx, kit) => {
    const [id = ''] = await queueRuns(kit, tx, [
      {
        pipeline,
        scope,
        cause: 'request',
        initiator: principalOf(caller),
        variables: input.variables ?? {},
        priority: input.priority,
        ...checkout,
      },
    ])
    await means.audit.record(tx, {
      origin,
      action: 'run.started',
      resource: { kind: 'run', id },
      teamPath,
      after: { pipeline: pipeline.identifier, version: pipeline.version, scope, ...presentCheckout(checkout) },
    })
    return { id, commitSha: checkout.commitSha ?? null, note: checkout.note ?? null }
  }
}

function presentCheckout({ repository, ref, commitSha }: Awaited<ReturnType<typeof chooseCheckout>>) {
  return { repository: repository ?? null, ref: ref ?? null, commit_sha: commitSha ?? null }
}
