import type { Queryable } from '#platform/database'
import type { Caller, RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import { ARTIFACT_DELETED } from '../facts.ts'
import * as store from '../store/index.ts'

/** 404 when there is none, or the caller may not see it: the two look alike. */
export async function findVisibleArtifact(db: Queryable, caller: Caller, id: string): Promise<store.ArtifactRow> {
  const artifact = await store.findArtifact(db, id)
  if (!caller.can('artifact.read', artifact?.teamPath ?? '/') || !artifact) {
    throw platformProblem('not_found', `There is no artifact ${id} that you may see; it may have expired.`)
  }
  return artifact
}

/** Its bytes go once nothing else has the same. */
export async function deleteArtifact(
  kit: Kit,
  needs: { readonly audit: Audit },
  origin: RequestOrigin,
  id: string,
): Promise<void> {
  const artifact = await findVisibleArtifact(kit.database.kysely, origin.caller, id)
  const { teamPath, name, runId, step, task } = artifact
  if (!origin.caller.can('artifact.delete', teamPath)) {
    throw platformProblem('forbidden', `You need artifact.delete on ${teamPath} to do that.`)
  }
  await kit.database.transaction(async (tx) => {
    await store.deleteArtifact(tx, id)
    const before = { name, run_id: runId, step, task, size: artifact.size }
    const resource = { kind: 'artifact', id }
    await needs.audit.record(tx, { origin, action: ARTIFACT_DELETED.kind, resource, teamPath, before })
    await kit.facts.tell(tx, ARTIFACT_DELETED.kind, ARTIFACT_DELETED.version, { artifact_id: id, team_path: teamPath })
  })
}

export function listArtifacts(db: Queryable, runId: string): Promise<store.ArtifactRow[]> {
  return store.listOfRun(db, runId)
}
