import { type Caller, type RequestOrigin, requirePermission, requireVisible } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import { ARTIFACT_DELETED } from '../facts.ts'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'

/** Throws 404 where there is none, and where the caller may not see it. */
export async function findVisibleArtifact(means: Means, caller: Caller, id: string): Promise<store.ArtifactRow> {
  const artifact = await store.findArtifact(means.database.kysely, id)
  return requireVisible(caller, 'artifact.read', artifact, () => absentArtifact(id))
}

function absentArtifact(id: string): Problem {
  return platformProblem('not_found', `There is no artifact ${id} that you may see; it may have expired.`)
}

/** Deletes an artifact. The bytes go once no other artifact or cache refers to them. */
export async function deleteArtifact(means: Means, origin: RequestOrigin, id: string): Promise<void> {
  const artifact = await findVisibleArtifact(means, origin.caller, id)
  const { teamPath, name, runId, step, task } = artifact
  requirePermission(origin.caller, 'artifact.delete', teamPath)
  await means.database.transaction(async (tx) => {
    if (!(await store.deleteArtifact(tx, id))) throw absentArtifact(id)
    const before = { name, run_id: runId, step, task, size: artifact.size }
    const resource = { kind: 'artifact', id }
    await means.audit.record(tx, { origin, action: ARTIFACT_DELETED.kind, resource, teamPath, before })
    await means.facts.tell(tx, ARTIFACT_DELETED.kind, ARTIFACT_DELETED.version, {
      artifact_id: id,
      team_path: teamPath,
    })
  })
}

/** The artifacts of a run that the caller may see. */
export async function listArtifacts(means: Means, caller: Caller, runId: string): Promise<store.ArtifactRow[]> {
  const run = await means.runs.findVisible(caller, runId, 'artifact.read')
  return store.listOfRun(means.database.kysely, run.id)
}
