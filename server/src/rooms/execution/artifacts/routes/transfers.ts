import * as shapes from '@signalbox/contracts/artifacts'
import { transferRoutes as stated } from '@signalbox/contracts/artifacts/routes'
import { answer, type RequestOf, type Route, serve } from '#platform/http'
import { admitAttempt } from '../actions/admit-attempt.ts'
import { findArchiveOfCache, findArchiveOfRun } from '../actions/fetch-archive.ts'
import { keepArtifact } from '../actions/keep-artifact.ts'
import { completeBlob, openBlob, storePart } from '../actions/store-blob.ts'
import { streamBlob } from '../actions/stream-blob.ts'
import { findCache, keepCache } from '../actions/use-cache.ts'
import type { Means } from '../means.ts'
import { PART_SIZE } from '../rules/index.ts'
import { presentArtifact } from './artifacts.ts'

/** Between runners and the control plane. The server lets anybody ask: the token is that of an attempt, not of a subject. */
export function transferRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    openBlob: async ({ headers, body }) => answer(200, await openBlob(means, await admitAttempt(means, headers), body)),
    storePart: async (request) => {
      const subject = await admitAttempt(means, request.headers)
      const part = await request.readBody(PART_SIZE, `transfer:${subject.teamPath}`)
      await storePart(means, subject, request.params, part)
      return answer(204)
    },
    completeBlob: async ({ headers, params }) => {
      await completeBlob(means, await admitAttempt(means, headers), params.id)
      return answer(204)
    },
    keepArtifact: async ({ headers, body }) => {
      const subject = await admitAttempt(means, headers)
      return answer(200, presentArtifact(await keepArtifact(means, subject, body)))
    },
    keepCache: async ({ headers, body }) =>
      answer(200, await keepCache(means, await admitAttempt(means, headers), body)),
    findCache: async ({ headers, body }) =>
      answer(200, await findCache(means, await admitAttempt(means, headers), body)),
    fetchCache: (request) => send(request, findArchiveOfCache),
    fetchArtifact: (request) => send(request, findArchiveOfRun),
  })

  async function send({ headers, params, signal }: Fetch, find: typeof findArchiveOfRun) {
    const subject = await admitAttempt(means, headers)
    const archive = await find(means, subject, params.id)
    const asking = { range: headers['range'], signal, holder: `transfer:${subject.teamPath}` }
    return { ...(await streamBlob(means, archive, asking)), admitAgain: () => admitAttempt(means, headers) }
  }
}

type Fetch = RequestOf<(typeof stated)['fetchArtifact']>
