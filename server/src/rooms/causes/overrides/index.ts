import { defineRoom } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import { keepOverrides } from './actions/keep-overrides.ts'
import type { PreviewReader } from './actions/preview-override.ts'
import type { ResolutionReader } from './actions/resolve-event.ts'
import { overrideProblem } from './errors.ts'
import { overrideRoutes } from './routes.ts'
import {
  describeUnvouched,
  type Finder,
  fullNameOf,
  type Override,
  type VouchingSource,
  whyNotVouched,
} from './rules/index.ts'

export type { PreviewReader, PreviewRequest } from './actions/preview-override.ts'
export type { ResolutionReader, ResolutionRequest } from './actions/resolve-event.ts'
export type { OverrideTold } from './facts.ts'
export type { Finder, Override, OverrideOwner, VouchingSource } from './rules/index.ts'

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
  /** Sources are a higher room: it contributes the answer. Until then no override is in effect. */
  vouchWith(directory: SourceDirectory): void
  /** Events are a higher room: it contributes the answer to `.../resolution`. Until then that answers 503. */
  resolveWith(reader: ResolutionReader): void
  /** As `resolveWith`, for `POST /v1/overrides/preview`. */
  previewWith(reader: PreviewReader): void
}

export interface OverrideRoomNeeds {
  readonly audit: Audit
  readonly access: Pick<Access, 'judgeScope' | 'snapshot'>
  readonly pipelines: Pick<Pipelines, 'find'>
  readonly runs: Pick<Runs, 'findDefaultScope'>
}

/** With what higher rooms have contributed by the time of a request. */
export interface OverrideNeeds extends OverrideRoomNeeds {
  readonly sources: SourceDirectory
  readonly finder: () => Promise<Finder>
  readonly resolution: ResolutionReader
  readonly preview: PreviewReader
}

export const overrides = defineRoom<Overrides, OverrideRoomNeeds>({
  name: 'causes/overrides',
  open(kit, given) {
    const copy = keepOverrides(kit)
    const changed = (): void => copy.invalidate()
    let sources: SourceDirectory = async () => () => []
    const finder = async (): Promise<Finder> => copy.now() ?? (await copy.get())
    let resolution: ResolutionReader = notAnswerable
    let preview: PreviewReader = notAnswerable
    const needs: OverrideNeeds = {
      ...given,
      sources: () => sources(),
      finder,
      resolution: (caller, request) => resolution(caller, request),
      preview: (caller, request) => preview(caller, request),
    }
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
        vouchWith(next) {
          sources = next
        },
        resolveWith(next) {
          resolution = next
        },
        previewWith(next) {
          preview = next
        },
      },
      routes: overrideRoutes(kit, needs, changed),
      close: async () => copy.close(),
    }
  },
})

async function notAnswerable(): Promise<never> {
  throw overrideProblem(
    'override.not_answerable',
    'This process cannot tell what events start: nothing that reads events is opened in it.',
  )
}
