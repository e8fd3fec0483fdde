import * as shapes from '@signalbox/contracts/external-triggers'
import { externalTriggerRoutes as stated } from '@signalbox/contracts/external-triggers/routes'
import {
  type Answer,
  answer,
  type Caller,
  etagOf,
  linkNext,
  originOf,
  type RequestOf,
  type Route,
  serve,
} from '#platform/http'
import { getExternalTrigger, listExternalTriggers } from './actions/find-external-trigger.ts'
import { fireExternalTrigger } from './actions/fire-external-trigger.ts'
import { identifySender } from './actions/identify-sender.ts'
import { presentAllFor, presentFor, presentWithSecret } from './actions/present-external-trigger.ts'
import { readChange, readDocument } from './actions/read-document.ts'
import {
  changeExternalTrigger,
  createExternalTrigger,
  deleteExternalTrigger,
  rotateExternalTrigger,
} from './actions/write-external-trigger.ts'
import type { Means } from './means.ts'
import type { ExternalTrigger } from './store.ts'

export function externalTriggerRoutes(means: Means): Route[] {
  const shown = async (reader: Caller, trigger: ExternalTrigger): Promise<Answer<200, shapes.ExternalTrigger>> =>
    answer(200, await presentFor(means, reader, trigger), tagOf(trigger))
  return serve(stated, shapes, {
    async listExternalTriggers(request) {
      const page = await listExternalTriggers(means, request.caller, request.query)
      return answer(200, await presentAllFor(means, request.caller, page.items), linkNext(request.url, page))
    },
    async createExternalTrigger(request) {
      const made = await createExternalTrigger(means, originOf(request), readDocument(request.body))
      const headers = { location: `/v1/external-triggers/${made.trigger.id}`, ...tagOf(made.trigger) }
      return answer(201, await presentWithSecret(means, request.caller, made), headers)
    },
    getExternalTrigger: async (request) =>
      shown(request.caller, await getExternalTrigger(means, request.caller, request.params.id)),
    async replaceExternalTrigger(request) {
      const change = readDocument(request.body)
      return shown(request.caller, await changeExternalTrigger(means, originOf(request), request.params.id, change))
    },
    async updateExternalTrigger(request) {
      const change = readChange(request.body)
      return shown(request.caller, await changeExternalTrigger(means, originOf(request), request.params.id, change))
    },
    async deleteExternalTrigger(request) {
      await deleteExternalTrigger(means, originOf(request), request.params.id)
      return answer(204)
    },
    async rotateExternalTrigger(request) {
      const made = await rotateExternalTrigger(means, originOf(request), request.params.id)
      return answer(200, await presentWithSecret(means, request.caller, made), tagOf(made.trigger))
    },
    runExternalTrigger: ({ caller, params, body, address, requestId }) =>
      fireExternalTrigger(means, {
        identify: async () => ({ trigger: await getExternalTrigger(means, caller, params.id), caller, by: 'hand' }),
        address,
        requestId,
        // The platform keeps the answers to the keys of callers.
        idempotencyKey: undefined,
        variables: body?.variables ?? {},
      }),
    fireExternalTrigger: (request) => fire(means, request, undefined),
    fireExternalTriggerByUrl: (request) => fire(means, request, request.params.secret),
  })
}

type FireRequest = RequestOf<(typeof stated)['fireExternalTrigger' | 'fireExternalTriggerByUrl']>

function fire(means: Means, request: FireRequest, secret: string | undefined) {
  const { params, body, headers, address, requestId } = request
  const authorization = headers['authorization'] === undefined ? undefined : String(headers['authorization'])
  return fireExternalTrigger(means, {
    identify: () => identifySender(means, { asked: params.id, secret, authorization, address }),
    address,
    requestId,
    idempotencyKey: headers['idempotency-key'],
    variables: body?.variables ?? {},
  })
}

function tagOf({ updatedAt }: ExternalTrigger): { readonly etag: string } {
  return { etag: etagOf(updatedAt) }
}
