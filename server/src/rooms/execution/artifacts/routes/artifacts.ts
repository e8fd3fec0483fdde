import * as shapes from '@signalbox/contracts/artifacts'
import { artifactRoutes as stated } from '@signalbox/contracts/artifacts/routes'
import { answer, type Caller, originOf, type Route, serve, toWire } from '#platform/http'
import { archiveOf } from '../actions/fetch-archive.ts'
import { deleteArtifact, findVisibleArtifact, listArtifacts } from '../actions/find-artifact.ts'
import { readStorage, writeStorage } from '../actions/keep-quotas.ts'
import { listFiles, openFile } from '../actions/read-files.ts'
import { streamBlob } from '../actions/stream-blob.ts'
import type { Means } from '../means.ts'
import type { ArtifactRow } from '../store/index.ts'

/** The routes for people and agents. */
export function artifactRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    listRunArtifacts: async ({ caller, params }) =>
      answer(200, (await listArtifacts(means, caller, params.id)).map(presentArtifact)),
    getArtifact: async ({ caller, params }) =>
      answer(200, presentArtifact(await findVisibleArtifact(means, caller, params.id))),
    downloadArtifact: async ({ caller, params, headers, signal }) => {
      const artifact = await findVisibleArtifact(means, caller, params.id)
      const asking = { ...askingOf(caller, signal), range: headers['range'] }
      const streamed = await streamBlob(means, archiveOf(artifact), asking)
      const name = `${artifact.step}-${artifact.task}-${artifact.name}.tar.zst`.replaceAll(/[^A-Za-z0-9._-]/g, '-')
      const disposition = { 'content-disposition': `attachment; filename="${name}"` }
      return { ...streamed, headers: { ...streamed.headers, ...disposition } }
    },
    listArtifactFiles: async ({ caller, params, query, signal }) => {
      const archive = archiveOf(await findVisibleArtifact(means, caller, params.id))
      return answer(200, await listFiles(means, archive, query, askingOf(caller, signal)))
    },
    getArtifactFile: async ({ caller, params, query, signal }) => {
      const archive = archiveOf(await findVisibleArtifact(means, caller, params.id))
      return openFile(means, archive, query, askingOf(caller, signal))
    },
    deleteArtifact: async (request) => {
      await deleteArtifact(means, originOf(request), request.params.id)
      return answer(204)
    },
    getStorage: async ({ caller, query }) => answer(200, await readStorage(means, caller, query.team_path)),
    setStorage: async (request) => answer(200, await writeStorage(means, originOf(request), request.body)),
  })
}

function askingOf(caller: Caller, signal: AbortSignal) {
  return { signal, holder: `${caller.kind}:${caller.id}`, range: undefined }
}

export function presentArtifact({
  attemptId: _,
  teamPath: _team,
  blobId: _blob,
  ...row
}: ArtifactRow): shapes.Artifact {
  return toWire(row)
}
