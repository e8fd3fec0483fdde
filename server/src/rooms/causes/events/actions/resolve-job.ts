import { sha256 } from '#platform/crypto'

export const RESOLVE_JOB = 'events.resolve'

/** A repository may take up to a minute to be read, so that a source may keep no more than these from the others. */
const QUEUES_PER_SOURCE = 2

/**
 * The queue in which an event waits until its repository is read. Events of one repository come one after the other, in
 * the order in which they came; whoever has a slow host keeps two workers busy at most.
 */
export function resolveQueue(sourceId: string | null, repository: string): string {
  const queue = sha256(repository.toLowerCase()).readUInt8(0) % QUEUES_PER_SOURCE
  return `${RESOLVE_JOB}:${sourceId ?? 'posted'}:${queue}`
}
