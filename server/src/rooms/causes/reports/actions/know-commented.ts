import type { Kit } from '#platform/room'
import { anyCommented } from '../store/sticky-comments.ts'

/**
 * Whether comments of pull requests show runs at all: asked for each run that moves, so that it costs no query. A false
 * answer may be old by some seconds; the comment then looks by itself where its runs stand.
 */
export interface KnownCommented {
  any(): boolean
  noteAny(): void
}

const KNOWN_MS = 10_000

export function knowCommented(kit: Pick<Kit, 'database' | 'clock' | 'log'>): KnownCommented {
  let known: { readonly any: boolean; readonly until: number } | undefined
  const ask = async (): Promise<void> => {
    const any = await anyCommented(kit.database.kysely)
    known = { any, until: kit.clock.monotonic() + KNOWN_MS }
  }
  return {
    any() {
      const isOld = known === undefined || known.until < kit.clock.monotonic()
      if (isOld && known?.any !== true) {
        ask().catch((error: unknown) => kit.log.debug({ err: error }, 'whether comments show runs is not known'))
      }
      return known?.any ?? true
    },
    noteAny() {
      known = { any: true, until: 0 }
    },
  }
}
