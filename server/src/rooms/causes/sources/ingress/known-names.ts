import { createFreshCopy, type FreshCopy } from '#platform/database'
import type { Kit } from '#platform/room'
import { RepositoryNames } from '../rules/index.ts'
import * as store from '../store/repository-names.ts'

/** A lost listening connection is noticed by then at the latest (the revision is compared). */
const MAX_AGE_MS = 5000
const TIMEOUT_MS = 1500
/** Rows read before others get their turn: some milliseconds. */
const SLICE = 1000

interface Held {
  readonly names: RepositoryNames
  readonly revision: number
  /** The revision before the names were read: a different one now means that some were deleted. */
  readonly completeSince: number
}

/** All names of repositories in memory: a delivery whose name is known makes no query. A change costs what changed. */
export function keepNames(kit: Kit): FreshCopy<RepositoryNames> {
  let held: Held | undefined
  return createFreshCopy({
    database: kit.database,
    clock: kit.clock,
    channel: 'repository_names_changed',
    maxAgeMs: MAX_AGE_MS,
    timeoutMs: TIMEOUT_MS,
    revision: store.readRevision,
    async load(db) {
      const { completeSince } = await store.readRevisions(db)
      const known = held?.completeSince === completeSince ? held : undefined
      const names = known?.names ?? new RepositoryNames()
      let revision = known?.revision ?? 0
      for (;;) {
        const page = await store.listChanged(db, revision, SLICE)
        for (const name of page) names.put(name)
        revision = page.at(-1)?.revision ?? revision
        if (page.length < SLICE) break
      }
      held = { names, revision, completeSince }
      return names
    },
  })
}
