import * as shapes from '@signalbox/contracts/artifacts'
import { transferRoutes as stated } from '@signalbox/contracts/artifacts/routes'
import { answer, type Route, serve } from '#platform/http'
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
export type TransferRouteNeeds = AdmitNeeds & BlobNeeds & { readonly outgoing: Outgoing }

/** Between runners and the control plane. */
export function transferRoutes(kit: Kit, needs: TransferRouteNeeds): Route[] {
  const db = kit.database.kysely
  const completing: Completing = new Map()
  return serve(stated, shapes, {
    openBlob: async ({ headers, body }) =>
      answer(200, await openBlob(kit, needs, await admitAttempt(kit, needs, headers), body)),
    storePart: async (request) => {
      const subject = await admitAttempt(kit, needs, request.headers)
      const part = await request.readBody(PART_SIZE, `transfer:${subject.teamPath}`)
      await storePart(kit, needs, subject, request.params, part)
      return answer(204)
    },
    completeBlob: async ({ headers, params }) => {
      await completeBlob(kit, needs, completing, await admitAttempt(kit, needs, headers), params.id)
      return answer(204)
    },
    keepArtifact: async ({ headers, body }) => {
      const subject = await admitAttempt(kit, needs, headers)
      return answer(200, presentArtifact(await keepArtifact(kit, needs, subject, body)))
    },
    keepCache: async ({ headers, body }) =>
      answer(200, await keepCache(kit, needs, await admitAttempt(kit, needs, headers), body)),
    findCache: async ({ headers, body }) =>
      answer(200, await findCache(kit, await admitAttempt(kit, needs, headers), body)),
    fetchCache: async ({ headers, params, signal }) => {
      const subject = await admitAttempt(kit, needs, headers)
      const archive = await findArchiveOfCache(db, subject, params.id)
      const asking = { range: headers['range'], signal, holder: `transfer:${subject.teamPath}` }
      const streamed = await streamBlob({ db, ...needs }, archive, asking)
      return { ...streamedAnswer(streamed), admitAgain: () => admitAttempt(kit, needs, headers) }
    },
    fetchArtifact: async ({ headers, params, signal }) => {
      const subject = await admitAttempt(kit, needs, headers)
      const archive = await findArchiveOfRun(db, subject, params.id)
      const asking = { range: headers['range'], signal, holder: `transfer:${subject.teamPath}` }
      const streamed = await streamBlob({ db, ...needs }, archive, asking)
      return { ...streamedAnswer(streamed), admitAgain: () => admitAttempt(kit, needs, headers) }
    },
  })
}
