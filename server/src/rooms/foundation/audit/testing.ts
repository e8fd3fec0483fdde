import type { RequestOrigin } from '#platform/http'
import { testCaller } from '#platform/testing'
import type { AuditEntry } from './index.ts'

/** The actor of a test where the actor does not matter. */
export const anOrigin: RequestOrigin = { caller: testCaller(), address: '127.0.0.1', requestId: 'a-request' }

/** An entry to record; a test names what matters to it. */
export function anEntry(entry: Partial<AuditEntry> = {}): AuditEntry {
  return {
    origin: anOrigin,
    action: 'thing.created',
    resource: { kind: 'thing', id: 'one' },
    teamPath: 'acme',
    ...entry,
  }
}
