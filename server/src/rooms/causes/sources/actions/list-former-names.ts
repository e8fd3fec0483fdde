import type { SourceHealth } from '@signalbox/contracts/sources'
import type { Caller } from '#platform/http'
import { toWireTime } from '#platform/time'
import type { Means } from '../means.ts'

const MOST_LISTED = 100

/** Old names of a source's repositories that something still uses, as far as the caller may see what does. */
export async function listFormerNames(
  means: Means,
  caller: Caller,
  sourceId: string,
): Promise<SourceHealth['former_names']> {
  const renamed = (await means.ingress.names.get()).listRenamed(sourceId)
  if (renamed.length === 0) return []
  const [findNaming, overrides] = [await means.triggers.naming(), await means.overrides.finder()]
  const listed = renamed.flatMap(({ current, former }) =>
    former.map(({ name }) => ({
      former_name: name,
      name: current.name,
      since: toWireTime(current.since),
      triggers: findNaming(name)
        .filter((trigger) => trigger.sourceId === null || trigger.sourceId === sourceId)
        .filter(({ teamPath }) => caller.can('trigger.read', teamPath))
        .map((trigger) => ({ id: trigger.id, name: trigger.name, team_path: trigger.teamPath })),
      overrides: overrides
        .list(name)
        .filter(({ teamPath }) => caller.can('override.read', teamPath))
        .map(({ pipeline }) => ({ pipeline })),
    })),
  )
  return listed.filter(({ triggers, overrides: own }) => triggers.length + own.length > 0).slice(0, MOST_LISTED)
}
