import { deliveryRoutes } from '@signalbox/contracts/sources/routes'
import type { Client } from '../client/client.ts'
import { CommandFailed } from '../errors.ts'
import { githubPush, type Push } from './github-push.ts'

export interface Delivered {
  readonly status: number
  readonly body: string
  readonly signature: string
}

/** Posts a push as GitHub does: no token, signed bytes. */
export async function deliver(url: string, sourceId: string, push: Push & { deliveryId: string }): Promise<Delivered> {
  const { headers, body } = githubPush(push)
  const response = await fetch(`${url}/v1/git/webhooks/${sourceId}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(30_000),
  })
  return { status: response.status, body: await response.text(), signature: headers['X-Hub-Signature-256'] ?? '' }
}

/** The run that a delivery started, by the provider's id of the delivery. */
export async function findRunOf(client: Client, sourceId: string, deliveryId: string): Promise<string> {
  const recent = await client.list(deliveryRoutes.listDeliveries, { params: { sourceID: sourceId }, limit: 50 })
  const found = recent.find((each) => each.delivery_id === deliveryId)
  const [runId] = found?.run_ids ?? []
  if (runId !== undefined) return runId
  const reason = found?.reason ?? 'it is not recorded'
  throw new CommandFailed('unexpected', `The delivery started no run: ${reason.replace(/\.$/, '')}.`)
}
