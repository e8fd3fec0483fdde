import type { Delivery } from './delivery.ts'

/** In the record of an event that this service made, in place of the provider's word: no delivery came. */
export const MADE_EVENT_TYPE = 'signalbox:recovered'

/** Whether no delivery came, and this service made the event: nothing else is answered well without a look at its sender. */
export function isMade({ verification, statusCode }: Pick<Delivery, 'verification' | 'statusCode'>): boolean {
  return verification === 'not_checked' && statusCode < 300
}
