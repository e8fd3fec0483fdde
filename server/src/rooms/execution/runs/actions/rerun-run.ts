import type { RequestOrigin } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Audit } from '#rooms/foundation/audit'
import { readTexts } from '../rules/stored-json.ts'
import type { DetailRow } from '../store/list-runs.ts'
import { type AuthorizeNeeds, authorizeRun, requireDeclared, wrong } from './authorize-run.ts'
import { findVisibleRun, requirePermission } from './find-visible-run.ts'
import { readEvents } from './keep-events.ts'
import { type NewRun, type Observe, queueRuns } from './queue-runs.ts'

export interface RerunNeeds extends AuthorizeNeeds {
  readonly observe: Observe
  readonly audit: Audit
  readonly pipelines: Pick<Pipelines, 'resolveVersionForRun'>
}

/**
 * A new run from the same version, event, commit and scope, started by the caller, who is authorized anew. Variables are
 * those of the old run, less what is given here. The old run does not change. Of an untrusted run it is untrusted too, and
 * where that never began, because nobody approved it or somebody rejected it, it waits for an approval of its own. It
 * stands outside the old run's group.
 */
export async function rerunRun(
  kit: Kit,
  needs: RerunNeeds,
  origin: RequestOrigin,
  id: string,
  variables: Readonly<Record<string, string>> | undefined,
): Promise<string> {
  const { caller } = origin
  const db = kit.database.kysely
  const run = await findVisibleRun(db, caller, id)
  requirePermission(caller, 'run.rerun', run.team_path)
  const pipeline = await needs.pipelines.resolveVersionForRun(db, run.pipeline_version_id)
  if (!pipeline) throw wrong('pipeline', `Version ${run.pipeline_version} of ${run.pipeline_identifier} is gone.`)
  if ('problem' in pipeline) throw wrong('profile', pipeline.problem)
  requireDeclared(pipeline, variables)
  await authorizeRun(needs, db, caller, pipeline, run.scope, run.untrusted)
  const [event] = await readEvents(db, [run])
  return await kit.database.transaction(async (tx) => {
    const [newId = ''] = await queueRuns(kit, needs.observe, tx, [
      {
        pipeline,
        scope: run.scope,
        cause: 'rerun',
        rerunOf: run.id,
        initiator: { kind: caller.kind, id: caller.id, name: caller.name },
        variables: { ...readTexts(run.variables), ...variables },
        event,
        eventId: run.event_id ?? undefined,
        triggerId: run.trigger_id ?? undefined,
        manifestTrigger: run.manifest_trigger ?? undefined,
        pullRequest: run.pull_request ?? undefined,
        untrusted: run.untrusted,
        hold: holdOf(run),
        repository: run.repository ?? undefined,
        cloneUrl: run.clone_url ?? undefined,
        ref: run.ref ?? undefined,
        branch: run.branch ?? undefined,
        commitSha: run.commit_sha ?? undefined,
        checkoutCredentialRef: run.checkout_credential_ref ?? undefined,
      },
    ])
    await needs.audit.record(tx, {
      origin,
      action: 'run.rerun',
      resource: { kind: 'run', id: newId },
      teamPath: pipeline.teamPath,
      after: { rerun_of: run.id, pipeline: pipeline.identifier, version: pipeline.version, scope: run.scope },
    })
    return newId
  })
}

/** To run again is no way around an approval. One that began was approved, or is a rerun of one that was. */
function holdOf(run: Pick<DetailRow, 'untrusted' | 'started_at' | 'pull_request'>): NewRun['hold'] {
  if (!run.untrusted || run.started_at !== null || run.pull_request === null) return undefined
  return { kind: 'fork_approval', pullRequest: run.pull_request }
}
