import { Patterns } from '@signalbox/pipeline/masking'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '#platform/database'
import type { Kit } from '#platform/room'
import { scrubLines } from '../rules/scrub-lines.ts'
import { listOpenScrubs, type OpenScrub } from '../store/scrubs.ts'
import type { Hide } from './read-blocks.ts'
import { UnpackedLines } from './unpack-lines.ts'

/** The values that a run's readers may not see although some are still stored. */
export interface HiddenValues {
  /** Tells one set of values from another; empty where nothing is hidden. */
  readonly key: string
  readonly scrubIds: readonly string[]
  readonly patterns: Patterns | undefined
  readonly hide: Hide
}

const NOTHING: HiddenValues = { key: '', scrubIds: [], patterns: undefined, hide: (lines) => lines }

/** Hidden values by run: long values take a second to compile, and followers look 50 times a second. */
export type KnownHidden = LRUCache<string, HiddenValues>

const MOST_KNOWN = 8

export function rememberHidden(): KnownHidden {
  return new LRUCache({ max: MOST_KNOWN })
}

/** The scrubs of a run whose lines are not all rewritten, made ready to be applied to what is read. */
export async function readHidden(
  kit: Kit,
  db: Queryable,
  runId: string,
  known: KnownHidden = rememberHidden(),
): Promise<HiddenValues> {
  const scrubs = await listOpenScrubs(db, runId)
  const key = scrubs.map(({ id }) => id).join()
  const before = known.get(runId)
  if (before?.key === key) return before
  // Values that are forgotten are not remembered here.
  known.delete(runId)
  if (scrubs.length === 0) return NOTHING
  const values = scrubs.flatMap((scrub) => openValues(kit, scrub))
  const patterns = new Patterns(values)
  const hidden = { key, scrubIds: scrubs.map(({ id }) => id), patterns, hide: hideWith(patterns) }
  known.set(runId, hidden)
  return hidden
}

/** UTF-8 bytes of all values that are hidden in a run's logs. */
export async function countHidden(kit: Kit, db: Queryable, runId: string): Promise<number> {
  const values = (await listOpenScrubs(db, runId)).flatMap((scrub) => openValues(kit, scrub))
  return bytesOf(values)
}

export function bytesOf(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + Buffer.byteLength(value), 0)
}

export function sealContext(scrubId: string): string {
  return `log scrub ${scrubId}`
}

function hideWith(patterns: Patterns): Hide {
  return (lines) => {
    const scrubbed = lines.index && scrubLines(lines.bytes, lines.index, patterns)
    return scrubbed && lines.index ? new UnpackedLines(scrubbed.bytes, lines.index.count) : lines
  }
}

function openValues(kit: Kit, { id, sealedValues }: OpenScrub): string[] {
  const values: unknown = JSON.parse(kit.sealer.open(sealedValues, sealContext(id)))
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
}
