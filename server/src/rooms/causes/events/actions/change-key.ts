import { sha256 } from '#platform/crypto'
import { type ChangePlace, changedPlace, describeChange } from '../rules/index.ts'
import type { EventPlan } from './event-plan.ts'

/** The digest by which a change is known, in 64 hex digits. */
export function changeKeyAt(sourceId: string, repository: string, place: ChangePlace): string {
  return sha256(describeChange(sourceId, repository, place)).toString('hex')
}

/** That of what the event changes; undefined for what no look at heads could find, and for a replay. */
export function changeOf({ event, sourceId, replayOf }: EventPlan): string | undefined {
  if (sourceId === null || replayOf !== null) return undefined
  const { kind, action, ref, repository, pull_request: pullRequest } = event
  const place = changedPlace({ kind, action, ref, number: pullRequest?.number })
  return place && changeKeyAt(sourceId, repository.full_name, place)
}
