import {
  Artifact,
  ArtifactInput,
  ArtifactParams,
  BlobAnswer,
  BlobInput,
  BlobParams,
  CacheAnswer,
  CacheInput,
  CacheLookup,
  CacheStored,
  PartParams,
} from '@signalbox/contracts/artifacts'
import { answer, defineRoute, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { type AdmitNeeds, admitAttempt } from '../actions/admit-attempt.ts'
import { findArchiveOfCache, findArchiveOfRun } from '../actions/fetch-archive.ts'
import { keepArtifact } from '../actions/keep-artifact.ts'
import { type BlobNeeds, type Completing, completeBlob, openBlob, storePart } from '../actions/store-blob.ts'
import { type Outgoing, streamBlob } from '../actions/stream-blob.ts'
import { findCache, keepCache } from '../actions/use-cache.ts'
import { PART_SIZE } from '../rules/index.ts'
import { presentArtifact, streamedAnswer } from './present-artifact.ts'

// Public to the framework: the token is that of an attempt, not of a subject.
const common = { tag: 'transfers', class: 'public' } as const

export type TransferRouteNeeds = AdmitNeeds & BlobNeeds & { readonly outgoing: Outgoing }

/** Between runners and the control plane. */
export function transferRoutes(kit: Kit, needs: TransferRouteNeeds): Route[] {
  return [...sending(kit, needs), ...fetching(kit, needs)]
}

function sending(kit: Kit, needs: AdmitNeeds & BlobNeeds): Route[] {
  const completing: Completing = new Map()
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/transfers/blobs',
      summary: 'Begin, or go on with, sending an archive of an attempt',
      schema: { body: BlobInput },
      responses: { 200: BlobAnswer },
      problems: [{ status: 401 }, { status: 409 }, { status: 413 }],
      handle: async ({ headers, body }) =>
        answer(200, await openBlob(kit, needs, await admitAttempt(kit, needs, headers), body)),
    }),
    defineRoute({
      ...common,
      method: 'PUT',
      path: '/v1/transfers/blobs/:id/parts/:number',
      summary: 'Send one part of an archive; again is no error',
      schema: { params: PartParams },
      rawBody: true,
      responses: { 204: 'empty' },
      problems: [{ status: 401 }, { status: 413 }],
      handle: async (request) => {
        const subject = await admitAttempt(kit, needs, request.headers)
        const part = await request.readBody(PART_SIZE, `transfer:${subject.teamPath}`)
        await storePart(kit, needs, subject, request.params, part)
        return answer(204)
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/transfers/blobs/:id/complete',
      summary: 'End sending: the stored bytes are held against the digest',
      schema: { params: BlobParams },
      responses: { 204: 'empty' },
      problems: [{ status: 401 }, { status: 409 }],
      handle: async ({ headers, params }) => {
        await completeBlob(kit, needs, completing, await admitAttempt(kit, needs, headers), params.id)
        return answer(204)
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/transfers/artifacts',
      summary: 'Make an archive that was sent an artifact of the attempt',
      schema: { body: ArtifactInput },
      responses: { 200: Artifact },
      problems: [{ status: 401 }, { status: 409 }, { status: 413 }],
      handle: async ({ headers, body }) => {
        const subject = await admitAttempt(kit, needs, headers)
        return answer(200, presentArtifact(await keepArtifact(kit, needs, subject, body)))
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/transfers/caches',
      summary: 'Keep an archive that was sent under a key; the first one of a key stays',
      schema: { body: CacheInput },
      responses: { 200: CacheStored },
      problems: [{ status: 401 }, { status: 409 }],
      handle: async ({ headers, body }) =>
        answer(200, await keepCache(kit, needs, await admitAttempt(kit, needs, headers), body)),
    }),
  ]
}

function fetching(kit: Kit, needs: TransferRouteNeeds): Route[] {
  const db = kit.database.kysely
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/transfers/caches/lookup',
      summary: 'What lies under a key, or under one that begins with a fallback',
      schema: { body: CacheLookup },
      responses: { 200: CacheAnswer },
      problems: [{ status: 401 }],
      handle: async ({ headers, body }) =>
        answer(200, await findCache(kit, await admitAttempt(kit, needs, headers), body)),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/transfers/caches/:id',
      summary: 'The bytes of a cache; takes a Range',
      schema: { params: ArtifactParams },
      responses: { 200: 'stream', 206: 'stream' },
      problems: [{ status: 401 }],
      handle: async ({ headers, params, signal }) => {
        const subject = await admitAttempt(kit, needs, headers)
        const archive = await findArchiveOfCache(db, subject, params.id)
        const asking = { range: headers['range'], signal, holder: `transfer:${subject.teamPath}` }
        const streamed = await streamBlob({ db, ...needs }, archive, asking)
        return { ...streamedAnswer(streamed), admitAgain: () => admitAttempt(kit, needs, headers) }
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/transfers/artifacts/:id',
      summary: 'The bytes of an artifact of the same run; takes a Range',
      schema: { params: ArtifactParams },
      responses: { 200: 'stream', 206: 'stream' },
      problems: [{ status: 401 }],
      handle: async ({ headers, params, signal }) => {
        const subject = await admitAttempt(kit, needs, headers)
        const archive = await findArchiveOfRun(db, subject, params.id)
        const asking = { range: headers['range'], signal, holder: `transfer:${subject.teamPath}` }
        const streamed = await streamBlob({ db, ...needs }, archive, asking)
        return { ...streamedAnswer(streamed), admitAgain: () => admitAttempt(kit, needs, headers) }
      },
    }),
  ]
}
