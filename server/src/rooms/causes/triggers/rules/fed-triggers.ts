import { compilePatterns } from '@signalbox/pipeline/patterns'
import { foldName } from './fold-name.ts'
import type { MatchContext } from './source-condition.ts'
import { type IndexedTrigger, SPECIAL, type TriggerIndex } from './trigger-index.ts'

/** The part of a source that triggers without a source need. */
export interface Feed {
  readonly context: MatchContext
  readonly allowlist: readonly string[]
}

/**
 * The triggers that name no source and take events of this one. Two patterns, such as `acme/*` and `**`, are compared by
 * their literal beginnings. The list may therefore name a trigger that takes nothing of the source, but it names every
 * trigger that does.
 */
export function listFed(index: TriggerIndex, { context, allowlist }: Feed): readonly IndexedTrigger[] {
  const admitted = compilePatterns(allowlist, { caseInsensitive: true })
  const admits = readPatterns(allowlist)
  const fed: IndexedTrigger[] = []
  for (const { trigger, decide } of index.lists()) {
    if (!takesFrom(trigger, context)) continue
    const wants = readPatterns(trigger.repositories)
    const isFed =
      [...wants.names, ...admits.names].some((name) => admitted.matches(name) && decide(name).matched) ||
      wants.beginnings.some((one) => admits.beginnings.some((other) => one.startsWith(other) || other.startsWith(one)))
    if (isFed) fed.push(trigger)
  }
  return fed
}

function takesFrom({ sourceId, sourceLostAt, owner, teamPath }: IndexedTrigger, context: MatchContext): boolean {
  if (sourceId !== null || sourceLostAt !== null) return false
  return context.feeds?.(teamPath) !== false && context.visibleTo(owner)
}

/** Names, and the literal beginnings of patterns; exclusions only take out of what another pattern takes in. */
function readPatterns(patterns: readonly string[]): { readonly names: string[]; readonly beginnings: string[] } {
  const taking = patterns.filter((pattern) => !pattern.startsWith('!')).map(foldName)
  const [names, wild] = [taking.filter((text) => !SPECIAL.test(text)), taking.filter((text) => SPECIAL.test(text))]
  return { names, beginnings: wild.map((text) => text.slice(0, text.search(SPECIAL))) }
}
