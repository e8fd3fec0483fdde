import { type Caller, canFromBelow } from '#platform/http'
import type { Clue, FoundByClue } from '#platform/room'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'

/** An emergency by its id; items are found by their names and ids as other named things are. */
export async function findByClue(means: Means, caller: Caller, clue: Clue): Promise<readonly FoundByClue[]> {
  if (clue.kind !== 'id') return []
  const emergency = await store.findEmergency(means.database.kysely, clue.id)
  if (!emergency || !canFromBelow(caller, 'knowledge.read', emergency.teamPath)) return []
  const { id, scope, teamPath } = emergency
  return [{ kind: 'emergency', id, name: null, teamPath, why: 'It has this id.', told: scope }]
}
