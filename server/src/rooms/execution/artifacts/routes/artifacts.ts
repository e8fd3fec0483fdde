import * as shapes from '@signalbox/contracts/artifacts'
import { artifactRoutes as stated } from '@signalbox/contracts/artifacts/routes'
import { answer, originOf, type Route, serve } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Runs } from '#rooms/execution/runs'
import type { Audit } from '#rooms/foundation/audit'
import { archiveOf } from '../actions/fetch-archive.ts'
import { deleteArtifact, findVisibleArtifact, listArtifacts } from '../actions/find-artifact.ts'
import { readStorage, writeStorage } from '../actions/keep-quotas.ts'
import type { BlobNeeds } from '../actions/store-blob.ts'
import { type Outgoing, streamBlob } from '../actions/stream-blob.ts'
import { presentArtifact, streamedAnswer } from './present-artifact.ts'

export type ArtifactRouteNeeds = BlobNeeds & {
  readonly outgoing: Outgoing
  readonly audit: Audit
  readonly runs: Pick<Runs, 'findVisible'>
}

/** What people and agents ask. */
export function artifactRoutes(kit: Kit, needs: ArtifactRouteNeeds): Route[] {
  const db = kit.database.kysely
  return serve(stated, shapes, {
    listRunArtifacts: async ({ caller, params }) => {
      const run = await needs.runs.findVisible(caller, params.id, 'artifact.read')
      return answer(200, (await listArtifacts(db, run.id)).map(presentArtifact))
    },
    getArtifact: async ({ caller, params }) =>
      answer(200, presentArtifact(await findVisibleArtifact(db, caller, params.id))),
    downloadArtifact: async ({ caller, params, headers, signal }) => {
      const artifact = await findVisibleArtifact(db, caller, params.id)
      const asking = { range: headers['range'], signal, holder: `${caller.kind}:${caller.id}` }
      const streamed = await streamBlob({ db, ...needs }, archiveOf(artifact), asking)
      const name = `${artifact.step}-${artifact.task}-${artifact.name}.tar.zst`.replaceAll(/[^A-Za-z0-9._-]/g, '-')
      return streamedAnswer(streamed, { 'content-disposition': `attachment; filename="${name}"` })
    },
    deleteArtifact: async (request) => {
      await deleteArtifact(kit, needs, originOf(request), request.params.id)
      return answer(204)
    },
    getStorage: async ({ caller, query }) => answer(200, await readStorage(kit, needs, caller, query.team_path)),
    setStorage: async (request) => answer(200, await writeStorage(kit, needs, originOf(request), request.body)),
  })
}
