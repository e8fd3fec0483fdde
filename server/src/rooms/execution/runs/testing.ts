import { execute, type Queryable } from '#platform/database'
import { createIds } from '#platform/ids'
import { insertQueued } from './store/new-runs.ts'

const ids = createIds(Date.now)

export interface TestRun {
  readonly teamPath?: string
  readonly scope?: string
  readonly branch?: string
  readonly variables?: Readonly<Record<string, string>>
  readonly initiatorId?: string
}

/** Stores a queued run of a pipeline that exists; answers its id. */
export async function aRun(
  db: Queryable,
  pipeline: { readonly id: string; readonly versionId: string },
  run: TestRun = {},
): Promise<string> {
  const id = ids.next()
  const teamPath = run.teamPath ?? 'acme/web'
  const row = {
    id,
    team_path: teamPath,
    pipeline_id: pipeline.id,
    pipeline_version_id: pipeline.versionId,
    pipeline_identifier: `${teamPath}/build`,
    pipeline_name: 'build',
    pipeline_version: 1,
    scope: run.scope ?? `${teamPath}/production`,
    requirement: { executor: 'host', labels: [] },
    profile_environment: {},
    cause: 'request',
    event_id: null,
    trigger_id: null,
    delivery_record_id: null,
    rerun_of: null,
    initiator_kind: 'user',
    initiator_id: run.initiatorId ?? '01900000-0000-7000-8000-000000000001',
    initiator_name: 'tester',
    event_block_id: null,
    event_offset: null,
    event_bytes: null,
    variables: run.variables ?? {},
    repository: null,
    clone_url: null,
    ref: run.branch === undefined ? null : `refs/heads/${run.branch}`,
    branch: run.branch ?? null,
    commit_sha: null,
    checkout_credential_ref: null,
    queued_at: new Date(),
  }
  await execute(db, insertQueued([row], []))
  return id
}
