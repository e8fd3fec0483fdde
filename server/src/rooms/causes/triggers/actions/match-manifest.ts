import type { Event } from '@signalbox/contracts/event'
import { compileTrigger, type ManifestPlace, type MatchContext, type ReadManifest, triggersOf } from '../rules/index.ts'
import { matchEvent, type TriggerMatch } from './match-event.ts'

/** The match of each entry of a repository's manifest with an event, in the order of the manifest. */
export function matchManifest(manifest: ReadManifest, event: Event, place: ManifestPlace): readonly TriggerMatch[] {
  const context: MatchContext = {
    sourceId: place.sourceId,
    visibleTo: () => true,
    membership: place.membership,
  }
  const placed = triggersOf(manifest, event.repository.full_name, place).flatMap(({ trigger, refusal }) => {
    const result = compileTrigger(trigger)
    // The entry compiled when the manifest was read, so this never fails.
    return result.ok ? [{ compiled: result.compiled, refusal }] : []
  })
  const matches = matchEvent(
    placed.map(({ compiled }) => compiled),
    event,
    context,
  )
  return matches.map((match, at) => {
    const refusal = placed[at]?.refusal ?? null
    return match.matched && refusal !== null ? { ...match, refusal } : match
  })
}
