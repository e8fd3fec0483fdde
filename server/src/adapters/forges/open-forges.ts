import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { findRepeatedHeader, keepHeaders } from './delivery-headers.ts'
import { createExaminer, LARGE_BYTES } from './examiner.ts'
import { readStored } from './json-body.ts'
import { FORGES, findForge } from './registry.ts'

/** What the house hands to the room that receives deliveries. */
export function openForges(kit: { readonly clock: Clock; readonly log: Log }) {
  const { examine } = createExaminer(kit)
  const ids = FORGES.map((forge) => forge.id)
  return { ids, find: findForge, examine, largeBytes: LARGE_BYTES, findRepeatedHeader, keepHeaders, readStored }
}
