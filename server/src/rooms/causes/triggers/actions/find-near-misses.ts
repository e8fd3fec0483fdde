import type { NearMiss } from '@signalbox/contracts/events'
import type { Means } from '../means.ts'
import { findPatternMiss } from '../rules/index.ts'

const MAX_FOUND = 10
/** After so many triggers others get their turn. */
const SLICE = 2_000

/**
 * Triggers whose repository patterns nearly name the repository, of teams that the question takes in. The search looks at
 * every trigger, so it only serves a person who reads why nothing started.
 */
export async function findNearMisses(
  means: Means,
  repository: string,
  mayRead: (teamPath: string) => boolean,
): Promise<NearMiss[]> {
  const found: NearMiss[] = []
  let looked = 0
  for (const { trigger, decide } of (await means.index.get()).lists()) {
    looked += 1
    if (looked % SLICE === 0) await means.clock.sleep(0)
    const miss = findPatternMiss(trigger.repositories, decide, repository)
    if (!miss || !mayRead(trigger.teamPath)) continue
    found.push({ trigger_id: trigger.id, name: trigger.name, team_path: trigger.teamPath, ...miss })
    if (found.length === MAX_FOUND) break
  }
  return found
}
