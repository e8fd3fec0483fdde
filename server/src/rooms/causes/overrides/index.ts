import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import type { StartingRule } from '#rooms/catalog/pipelines'
import { type DraftedOverride, draftOverride, type WantedOverride } from './actions/draft-override.ts'
import { findByClue } from './actions/find-by-clue.ts'
import { foreseeDelete } from './actions/foresee-delete.ts'
import { keepOverrides } from './actions/keep-overrides.ts'
import { overrideProblem } from './errors.ts'
import type { Means } from './means.ts'
import { overridePlanners } from './planners.ts'
import { overrideRoutes } from './routes.ts'
import {
  describeUnvouched,
  type Finder,
  fullNameOf,
  type Override,
  type VouchingSource,
  whyNotVouched,
} from './rules/index.ts'
import { listStarting } from './store.ts'

export type { DraftedOverride, WantedOverride } from './actions/draft-override.ts'
export type { OverrideTold } from './facts.ts'
export type { AboveOverrides, SourceDirectory } from './means.ts'
export type { Finder, Override, VouchingSource } from './rules/index.ts'

export interface Overrides {
  /** Overrides as of the last change anyone told of. Throws CopyStale when the database cannot confirm that in time. */
  finder(): Promise<Finder>
  /** To be called after another room committed a change of overrides. */
  changed(): void
  /** Why an override does not decide about events of a source; undefined where it does. */
  whyNotVouched(override: Override, source: VouchingSource): string | undefined
  /** Why an override does not decide about an event without a source; undefined where any source vouches for the override. */
  whyNotVouchedByAny(override: Override): Promise<string | undefined>
  /**
   * The override that a PUT would store, and its standing. Throws as a PUT does, except for a conflict with another
   * override.
   */
  draft(caller: Caller, wanted: WantedOverride): Promise<DraftedOverride>
  /** The overrides of all teams that start these pipelines; not those that have expired. */
  listStarting(db: Queryable, pipelines: readonly string[], most: number): Promise<readonly StartingRule[]>
}

export const overrides = defineRoom<Overrides, Omit<Doors<Means>, 'copy'>>({
  name: 'causes/overrides',
  open(kit, doors) {
    const copy = keepOverrides(kit)
    const means: Means = { ...kit, ...doors, copy }
    return {
      door: {
        finder: () => means.copy.get(),
        changed: copy.invalidate,
        whyNotVouched,
        async whyNotVouchedByAny(override) {
          const admitting = (await means.above.listSources())(fullNameOf(override))
          const isVouched = admitting.some((source) => whyNotVouched(override, source) === undefined)
          return isVouched ? undefined : `The override does not apply: ${describeUnvouched(override)}`
        },
        draft: (caller, wanted) => draftOverride(means, caller, wanted),
        listStarting: async (db, pipelines, most) =>
          (await listStarting(db, pipelines, { now: kit.clock.now(), most })).map((rule) => ({
            ...rule,
            permission: 'override.read' as const,
          })),
      },
      problems: [overrideProblem],
      routes: overrideRoutes(means),
      finders: [{ find: (caller, clue) => findByClue(means, caller, clue) }],
      planners: overridePlanners((...call) => foreseeDelete(means, ...call)),
      close: async () => copy.close(),
    }
  },
})
