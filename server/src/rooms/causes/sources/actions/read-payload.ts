import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { Means } from '../means.ts'
import type { Delivery } from '../rules/index.ts'
import * as store from '../store/deliveries.ts'

/** The provider's request, without credentials. */
export interface KeptPayload {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const decompress = promisify(zstdDecompress)

/** Undefined where nothing was kept, or not any more. */
export async function readKeptPayload(means: Means, delivery: Delivery): Promise<KeptPayload | undefined> {
  const place = delivery.payload
  const block = place && (await store.findPayloadBlock(means.database.kysely, place.blockId))
  if (!place || !block) return undefined
  const whole = await decompress(block)
  const bodyAt = place.offset + place.headersBytes
  return {
    headers: toTexts(JSON.parse(whole.toString('utf8', place.offset, bodyAt))),
    body: whole.subarray(bodyAt, bodyAt + delivery.payloadBytes),
  }
}

function toTexts(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
