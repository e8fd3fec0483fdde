import type { Event } from '@signalbox/contracts/event'
import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { defineRoom } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import { keepIndex } from './actions/keep-index.ts'
import { matchEvent, type TriggerMatch } from './actions/match-event.ts'
import { triggerRoutes } from './routes.ts'
import type { MatchContext, TriggerIndex } from './rules/index.ts'
import * as store from './store.ts'

export type { TriggerMatch, VariablesResult } from './actions/match-event.ts'
export type { MatchContext, Trigger, TriggerOwner } from './rules/index.ts'

/** Whether a caller may connect triggers to a source: told by the room that owns sources. */
export type SourceCheck = (db: Queryable, caller: Caller, sourceId: string) => Promise<boolean>

/** Matches events against the triggers as they were when it was taken. */
export interface Matcher {
  match(event: Event, context: MatchContext): readonly TriggerMatch[]
}

export interface Triggers {
  /** Triggers as of the last change anyone told of. Throws when the database cannot confirm that in time. */
  matcher(): Promise<Matcher>
  countBySource(db: Queryable, sourceIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** In the transaction that deletes the source: its triggers match nothing from now on, and say why. */
  sourceDeleted(
    db: Queryable,
    sourceId: string,
  ): Promise<readonly { readonly id: string; readonly name: string; readonly teamPath: string }[]>
  /** Sources are a higher room: it contributes the answer. Until then no trigger can name a source. */
  checkSourcesWith(check: SourceCheck): void
  /** After a commit that changed triggers by another door. */
  changed(): void
}

export interface TriggerRoomNeeds {
  readonly audit: Audit
  readonly teams: Pick<Teams, 'findTeam' | 'resolveScope'>
  readonly pipelines: {
    find(db: Queryable, idOrIdentifier: string): Promise<{ readonly teamPath: string } | undefined>
  }
  readonly access: { canUseScope(caller: Caller, scope: string): boolean | Promise<boolean> }
}

export interface TriggerNeeds extends TriggerRoomNeeds {
  readonly sourceUsable: SourceCheck
}

export const triggers = defineRoom<Triggers, TriggerRoomNeeds>({
  name: 'causes/triggers',
  open: (kit, given) => {
    const index = keepIndex(kit)
    const changed = (): void => index.invalidate()
    let check: SourceCheck = async () => false
    const needs: TriggerNeeds = { ...given, sourceUsable: (db, caller, id) => check(db, caller, id) }
    const matcherOf = (held: TriggerIndex): Matcher => ({
      match: (event, context) => matchEvent(held, event, context),
    })
    return {
      door: {
        matcher: async () => matcherOf(index.now() ?? (await index.get())),
        countBySource: store.countBySource,
        sourceDeleted: (db, sourceId) => store.markSourceLost(db, sourceId, kit.clock.now()),
        checkSourcesWith(next) {
          check = next
        },
        changed,
      },
      routes: triggerRoutes(kit, needs, changed),
      close: async () => index.close(),
    }
  },
})
