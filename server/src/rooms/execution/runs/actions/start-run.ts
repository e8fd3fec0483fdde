import type { RunStart } from '@signalbox/contracts/runs'
import { principalOf, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Audit } from '#rooms/foundation/audit'
import { type AuthorizeNeeds, authorizeRun, defaultScope, requireDeclared, wrong } from './authorize-run.ts'
import type { Observe } from './change-runs.ts'
import { type CheckoutFinder, chooseCheckout, requirePlace } from './choose-checkout.ts'
import { requirePermission } from './find-visible-run.ts'
import { queueRuns } from './queue-runs.ts'

export interface StartNeeds extends AuthorizeNeeds {
  readonly observe: Observe
  readonly audit: Audit
  readonly pipelines: Pick<Pipelines, 'find' | 'resolveForRun' | 'getGraph'>
  readonly findCheckout: CheckoutFinder
}

/** What became of a request, and what the tasks of its run start with. */
export interface StartedRun {
  readonly id: string
  readonly commitSha: string | null
  readonly note: string | null
}

/** Queues a run of a pipeline on request. */
export async function startRun(
  kit: Kit,
  needs: StartNeeds,
  origin: RequestOrigin,
  idOrIdentifier: string,
  input: RunStart,
): Promise<StartedRun> {
  const { caller } = origin
  const db = kit.database.kysely
  const row = await needs.pipelines.find(db, idOrIdentifier)
  if (!caller.can('pipeline.read', row?.teamPath ?? '/') || !row) {
    throw platformProblem('not_found', `There is no pipeline ${idOrIdentifier} that you may see.`)
  }
  requirePermission(caller, 'run.start', row.teamPath)
  // Its tasks would run whatever lies there, with the pipeline's secrets: as much as writing the pipeline.
  const namesPlace = input.clone_url !== undefined || input.repository !== undefined
  if (namesPlace) requirePermission(caller, 'pipeline.write', row.teamPath)
  const pipeline = await needs.pipelines.resolveForRun(db, row.identifier)
  if (!pipeline) throw wrong('profile', `The profile that ${row.identifier} names is gone: save the pipeline again.`)
  requireDeclared(pipeline, input.variables)
  requirePlace(kit, input)
  const scope = input.scope ?? (await defaultScope(needs, db, pipeline.teamPath))
  await authorizeRun(needs, db, caller, pipeline, scope)
  const { teamPath } = pipeline
  const graph = await needs.pipelines.getGraph(db, pipeline.versionId)
  // Over the network: last, and before the transaction.
  const checkout = await chooseCheckout(needs.findCheckout, { caller, input, graph, teamPath })
  return await kit.database.transaction(async (tx) => {
    const [id = ''] = await queueRuns(kit, needs.observe, tx, [
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
    await needs.audit.record(tx, {
      origin,
      action: 'run.started',
      resource: { kind: 'run', id },
      teamPath,
      after: { pipeline: pipeline.identifier, version: pipeline.version, scope, ...presentCheckout(checkout) },
    })
    return { id, commitSha: checkout.commitSha ?? null, note: checkout.note ?? null }
  })
}

function presentCheckout({ repository, ref, commitSha }: Awaited<ReturnType<typeof chooseCheckout>>) {
  return { repository: repository ?? null, ref: ref ?? null, commit_sha: commitSha ?? null }
}
