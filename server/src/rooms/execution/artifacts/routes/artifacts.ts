import {
  Artifact,
  ArtifactParams,
  RunArtifactsParams,
  Storage,
  StorageInput,
  StorageQuery,
} from '@signalbox/contracts/artifacts'
import { Type } from 'typebox'
import { answer, defineRoute, originOf, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Runs } from '#rooms/execution/runs'
import type { Audit } from '#rooms/foundation/audit'
import { archiveOf } from '../actions/fetch-archive.ts'
import { deleteArtifact, findVisibleArtifact, listArtifacts } from '../actions/find-artifact.ts'
import { readStorage, writeStorage } from '../actions/keep-quotas.ts'
import type { BlobNeeds } from '../actions/store-blob.ts'
import { type Outgoing, streamBlob } from '../actions/stream-blob.ts'
import { presentArtifact, streamedAnswer } from './present-artifact.ts'

const common = { tag: 'artifacts', class: 'authorized' } as const

export type ArtifactRouteNeeds = BlobNeeds & {
  readonly outgoing: Outgoing
  readonly audit: Audit
  readonly runs: Pick<Runs, 'findVisible'>
}

/** What people and agents ask. */
export function artifactRoutes(kit: Kit, needs: ArtifactRouteNeeds): Route[] {
  return [...reading(kit, needs), ...keeping(kit, needs)]
}

function reading(kit: Kit, needs: ArtifactRouteNeeds): Route[] {
  const db = kit.database.kysely
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runs/:id/artifacts',
      summary: 'List what the tasks of a run left, by step and task',
      permission: 'artifact.read',
      schema: { params: RunArtifactsParams },
      responses: { 200: Type.Array(Artifact) },
      handle: async ({ caller, params }) => {
        const run = await needs.runs.findVisible(caller, params.id, 'artifact.read')
        return answer(200, (await listArtifacts(db, run.id)).map(presentArtifact))
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/artifacts/:id',
      summary: 'Show an artifact',
      permission: 'artifact.read',
      schema: { params: ArtifactParams },
      responses: { 200: Artifact },
      handle: async ({ caller, params }) =>
        answer(200, presentArtifact(await findVisibleArtifact(db, caller, params.id))),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/artifacts/:id/download',
      summary: 'The archive of an artifact (tar, compressed with zstd); takes a Range',
      permission: 'artifact.read',
      schema: { params: ArtifactParams },
      responses: { 200: 'stream', 206: 'stream' },
      handle: async ({ caller, params, headers, signal }) => {
        const artifact = await findVisibleArtifact(db, caller, params.id)
        const asking = { range: headers['range'], signal, holder: `${caller.kind}:${caller.id}` }
        const streamed = await streamBlob({ db, ...needs }, archiveOf(artifact), asking)
        const name = `${artifact.step}-${artifact.task}-${artifact.name}.tar.zst`.replaceAll(/[^A-Za-z0-9._-]/g, '-')
        return streamedAnswer(streamed, { 'content-disposition': `attachment; filename="${name}"` })
      },
    }),
  ]
}

function keeping(kit: Kit, needs: ArtifactRouteNeeds): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/v1/artifacts/:id',
      summary: 'Delete an artifact before it expires',
      permission: 'artifact.delete',
      schema: { params: ArtifactParams },
      responses: { 204: 'empty' },
      handle: async (request) => {
        await deleteArtifact(kit, needs, originOf(request), request.params.id)
        return answer(204)
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/storage',
      summary: 'How much of artifacts and caches a team keeps, and may keep',
      permission: 'artifact.read',
      schema: { query: StorageQuery },
      responses: { 200: Storage },
      problems: [{ status: 404 }],
      handle: async ({ caller, query }) => answer(200, await readStorage(kit, needs, caller, query.team_path)),
    }),
    defineRoute({
      ...common,
      method: 'PUT',
      path: '/v1/storage',
      summary: 'Set how much a team, and those below it, may keep each',
      permission: 'storage.write',
      schema: { body: StorageInput },
      responses: { 200: Storage },
      problems: [{ status: 404 }],
      handle: async (request) => answer(200, await writeStorage(kit, needs, originOf(request), request.body)),
    }),
  ]
}
