import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'

/** Pipelines that start it, however deep: of more it is not known where they run. */
const MOST = 300
/** Rules, and parents, of one level: of more it is not known either. */
const MOST_ROWS = 3000

/** A scope in which runs of the pipeline start, or a team whose members may start them in any of its environments. */
export type Place = ({ readonly scope: string } | { readonly team: string }) & {
  /** Whether the caller may see all that leads there. */
  readonly isSeen: boolean
}

/**
 * Where runs of a pipeline start by what is stored, of whatever team. These are the scopes of the triggers, schedules,
 * overrides and external triggers that name it or a pipeline that starts it, and those of steps that start it. A parent may
 * also be started by hand, in the environments of its team. Undefined: too much leads there, or not all of it is known.
 */
export async function findPlaces(
  means: Pick<Means, 'above' | 'database'>,
  caller: Caller,
  identifier: string,
): Promise<readonly Place[] | undefined> {
  const db = means.database.kysely
  const places: Place[] = []
  const looked = new Map<string, boolean>()
  // The pipelines of one level, and whether the caller sees a way from each of them to the first.
  let level: ReadonlyMap<string, boolean> = new Map([[identifier, true]])
  while (level.size > 0) {
    for (const [name, isSeen] of level) looked.set(name, isSeen)
    if (looked.size > MOST) return undefined
    const names = [...level.keys()]
    const [rules, parents] = await Promise.all([
      means.above.listStarting(db, names, MOST_ROWS),
      store.listParents(db, names, MOST_ROWS),
    ])
    if (parents === undefined || rules.length >= MOST_ROWS) return undefined
    for (const { pipeline, scope, teamPath, permission } of rules) {
      places.push({ scope, isSeen: level.get(pipeline) === true && caller.can(permission, teamPath) })
    }
    const next = new Map<string, boolean>()
    for (const { child, scope, identifier: parent, teamPath } of parents) {
      const isSeen = level.get(child) === true && caller.can('pipeline.read', teamPath)
      if (scope !== null) {
        places.push({ scope, isSeen })
        continue
      }
      places.push({ team: teamPath, isSeen })
      // A pipeline is looked at again where a way is found that the caller sees.
      const known = looked.get(parent)
      if (known === undefined || (isSeen && !known)) next.set(parent, isSeen || next.get(parent) === true)
    }
    level = next
  }
  return places
}
