import { findAddressFault } from '@signalbox/contracts/repository'
import type { RunStart } from '@signalbox/contracts/runs'
import type { RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Audit } from '#rooms/foundation/audit'
import { type AuthorizeNeeds, authorizeRun, defaultScope, requireDeclared, wrong } from './authorize-run.ts'
import { requirePermission } from './find-visible-run.ts'
import { type Observe, queueRuns } from './queue-runs.ts'

export interface StartNeeds extends AuthorizeNeeds {
  readonly observe: Observe
  readonly audit: Audit
  readonly pipelines: Pick<Pipelines, 'find' | 'resolveForRun'>
}

/** Queues a run of a pipeline on request; the answer is its id. */
export async function startRun(
  kit: Kit,
  needs: StartNeeds,
  origin: RequestOrigin,
  idOrIdentifier: string,
  input: RunStart,
): Promise<string> {
  const { caller } = origin
  const db = kit.database.kysely
  const row = await needs.pipelines.find(db, idOrIdentifier)
  if (!caller.can('pipeline.read', row?.teamPath ?? '/') || !row) {
    throw platformProblem('not_found', `There is no pipeline ${idOrIdentifier} that you may see.`)
  }
  requirePermission(caller, 'run.start', row.teamPath)
  // Its tasks would run whatever lies there, with the pipeline's secrets: as much as writing the pipeline.
  if (input.clone_url !== undefined) requirePermission(caller, 'pipeline.write', row.teamPath)
  const pipeline = await needs.pipelines.resolveForRun(db, row.identifier)
  if (!pipeline) throw wrong('profile', `The profile that ${row.identifier} names is gone: save the pipeline again.`)
  requireDeclared(pipeline, input.variables)
  const fault = findAddressFault(input.clone_url, kit.config.localRepositories)
  if (fault !== undefined) throw wrong('clone_url', `clone_url ${fault}.`)
  if (input.commit_sha !== undefined && input.clone_url === undefined) {
    throw wrong('clone_url', 'Give clone_url with commit_sha: it says where the commit is.')
  }
  if (input.clone_url !== undefined && input.commit_sha === undefined) {
    throw wrong(
      'commit_sha',
      'Give commit_sha with clone_url: all tasks of a run are of one commit, a branch may move.',
    )
  }
  const scope = input.scope ?? (await defaultScope(needs, db, pipeline.teamPath))
  await authorizeRun(needs, db, caller, pipeline, scope)
  const ref = fullRef(input.ref)
  return await kit.database.transaction(async (tx) => {
    const [id = ''] = await queueRuns(kit, needs.observe, tx, [
      {
        pipeline,
        scope,
        cause: 'request',
        initiator: { kind: caller.kind, id: caller.id, name: caller.name },
        variables: input.variables ?? {},
        ref,
        branch: ref?.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined,
        priority: input.priority,
        commitSha: input.commit_sha,
        repository: input.repository,
        cloneUrl: input.clone_url,
      },
    ])
    await needs.audit.record(tx, {
      origin,
      action: 'run.started',
      resource: { kind: 'run', id },
      teamPath: pipeline.teamPath,
      after: { pipeline: pipeline.identifier, version: pipeline.version, scope, ref: ref ?? null },
    })
    return id
  })
}

/** `main` is the branch of that name. */
function fullRef(ref: string | undefined): string | undefined {
  return ref === undefined || ref.startsWith('refs/') ? ref : `refs/heads/${ref}`
}
