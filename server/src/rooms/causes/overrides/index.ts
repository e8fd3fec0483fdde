import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { defineRoom } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import { keepOverrides } from './actions/keep-overrides.ts'
import type { PreviewReader } from './actions/preview-override.ts'
import type { ResolutionReader } from './actions/resolve-event.ts'
import { overrideProblem } from './errors.ts'
import { overrideRoutes } from './routes.ts'
import type { Finder } from './rules/index.ts'

export type { PreviewReader, PreviewRequest } from './actions/preview-override.ts'
export type { ResolutionReader, ResolutionRequest } from './actions/resolve-event.ts'
export type { OverrideTold } from './facts.ts'
export type { Finder, Override, OverrideOwner } from './rules/index.ts'

/** Whether a caller may override `owner/name`: told by the room that knows which sources admit it. */
export type RepositoryCheck = (db: Queryable, caller: Caller, repository: string) => Promise<boolean>

export interface Overrides {
  /** Overrides as of the last change anyone told of. Throws CopyStale when the database cannot confirm that in time. */
  finder(): Promise<Finder>
  /** After a commit that changed overrides by another door. */
  changed(): void
  /** Sources are a higher room: it contributes the answer. Until then every repository may be overridden. */
  checkRepositoriesWith(check: RepositoryCheck): void
  /** Events are a higher room: it contributes the answer to `.../resolution`. Until then that answers 503. */
  resolveWith(reader: ResolutionReader): void
  /** As `resolveWith`, for `POST /v1/overrides/preview`. */
  previewWith(reader: PreviewReader): void
}

export interface OverrideRoomNeeds {
  readonly audit: Audit
  readonly teams: Pick<Teams, 'resolveScope'>
  readonly access: Pick<Access, 'canUseScope'>
  readonly pipelines: Pick<Pipelines, 'find'>
  readonly runs: Pick<Runs, 'findDefaultScope'>
}

/** With what higher rooms have contributed by the time of a request. */
export interface OverrideNeeds extends OverrideRoomNeeds {
  readonly repositoryAllowed: RepositoryCheck
  readonly resolution: ResolutionReader
  readonly preview: PreviewReader
}

export const overrides = defineRoom<Overrides, OverrideRoomNeeds>({
  name: 'causes/overrides',
  open(kit, given) {
    const copy = keepOverrides(kit)
    const changed = (): void => copy.invalidate()
    let check: RepositoryCheck = async () => true
    let resolution: ResolutionReader = notAnswerable
    let preview: PreviewReader = notAnswerable
    const needs: OverrideNeeds = {
      ...given,
      repositoryAllowed: (db, caller, repository) => check(db, caller, repository),
      resolution: (caller, request) => resolution(caller, request),
      preview: (caller, request) => preview(caller, request),
    }
    return {
      door: {
        finder: async () => copy.now() ?? (await copy.get()),
        changed,
        checkRepositoriesWith(next) {
          check = next
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
