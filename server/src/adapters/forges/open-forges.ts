import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { findRepeatedHeader, keepHeaders } from './delivery-headers.ts'
import { createDeliveryVerifier, LARGE_BYTES } from './delivery-verifier.ts'
import { readStored } from './json-body.ts'
import { FORGES, findForge } from './registry.ts'

/** The forges for the room that receives deliveries. */
export function openForges(kit: { readonly clock: Clock; readonly log: Log }) {
  const { verifyDelivery } = createDeliveryVerifier(kit)
  const ids = FORGES.map((forge) => forge.id)
  return { ids, find: findForge, verifyDelivery, largeBytes: LARGE_BYTES, findRepeatedHeader, keepHeaders, readStored }
}
