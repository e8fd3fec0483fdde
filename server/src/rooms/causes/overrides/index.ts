import type { Caller } from '#platform/http'
import { defineRoom } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import { type DraftedOverride, draftOverride, type WantedOverride } from './actions/draft-override.ts'
import { keepOverrides } from './actions/keep-overrides.ts'
import { overrideRoutes } from './routes.ts'
import {
  describeUnvouched,
  type Finder,
  fullNameOf,
  type Override,
  type VouchingSource,
  whyNotVouched,
} from './rules/index.ts'

export type { DraftedOverride, WantedOverride } from './actions/draft-override.ts'

import { overrideProblem } from './errors.ts'

export type { OverrideTold } from './facts.ts'
export type { Finder, Override, VouchingSource } from './rules/index.ts'

/**
 * The enabled sources that admit `owner/name`, as of now: told by the room of sources. Throws
 * authorization_unavailable (503) where that cannot be known.
 */
export type SourceDirectory = () => Promise<(repository: string) => readonly VouchingSource[]>

export interface Overrides {
  /** Overrides as of the last change anyone told of. Throws CopyStale when the database cannot confirm that in time. */
  finder(): Promise<Finder>
  /** After a commit that changed overrides by another door. */
  changed(): void
  /** Why an override does not decide about events of a source; undefined where it does. */
  whyNotVouched(override: Pick<Override, 'owner' | 'teamPath'>, source: VouchingSource): string | undefined
  /** The same for an event that no source told of: any source that vouches for the override will do. */
  whyNotVouchedByAny(override: Override): Promise<string | undefined>
  /** What a PUT would store, with how it would stand. Throws what a PUT throws, but for another override that stands there. */
  draft(caller: Caller, wanted: WantedOverride): Promise<DraftedOverride>
}

/** What rooms above this one answer. */
export interface AboveOverrides {
  readonly listSources: SourceDirectory
}

export interface OverrideRoomNeeds {
  readonly above: AboveOverrides
  readonly audit: Audit
  readonly access: Pick<Access, 'judgeScope' | 'snapshot'>
  readonly pipelines: Pick<Pipelines, 'find'>
  readonly runs: Pick<Runs, 'findDefaultScope'>
}

export interface OverrideNeeds extends OverrideRoomNeeds {
  readonly sources: SourceDirectory
  readonly finder: () => Promise<Finder>
}

export const overrides = defineRoom<Overrides, OverrideRoomNeeds>({
  name: 'causes/overrides',
  open(kit, given) {
    const copy = keepOverrides(kit)
    const changed = (): void => copy.invalidate()
    const sources = given.above.listSources
    const finder = async (): Promise<Finder> => copy.now() ?? (await copy.get())
    const needs: OverrideNeeds = { ...given, sources, finder }
    return {
      door: {
        finder,
        changed,
        whyNotVouched,
        async whyNotVouchedByAny(override) {
          const admitting = (await sources())(fullNameOf(override))
          const isVouched = admitting.some((source) => whyNotVouched(override, source) === undefined)
          return isVouched ? undefined : `It does not apply: ${describeUnvouched(override)}`
        },
        draft: (caller, wanted) => draftOverride(kit, needs, caller, wanted),
      },
      problems: [overrideProblem],
      routes: overrideRoutes(kit, needs, changed),
      close: async () => copy.close(),
    }
  },
})
