import { sha256 } from '#platform/crypto'

export const RESOLVE_JOB = 'events.resolve'

/** A repository may take up to a minute to be read, so that a source may keep no more than these from the others. */
const QUEUES_PER_SOURCE = 2

/**
 * The queue in which an event waits until its repository is read. Events of one repository are decided in the order in
 * which they came. A source with a slow host keeps at most two workers busy.
 */
export function resolveQueue(sourceId: string | null, repository: string): string {
  const queue = sha256(repository.toLowerCase()).readUInt8(0) % QUEUES_PER_SOURCE
  return `${RESOLVE_JOB}:${sourceId ?? 'posted'}:${queue}`
}
