import { type Automaton, buildAutomaton, derivedForms } from '@signalbox/pipeline/masking'
import type { Queryable } from '#platform/database'
import type { Kit } from '#platform/room'
import { scrubLines } from '../rules/scrub-lines.ts'
import { listOpenScrubs } from '../store/scrubs.ts'
import type { Hide } from './read-blocks.ts'
import { UnpackedLines } from './unpack-lines.ts'

/** What a run's readers may not see although some of it is still stored. */
export interface HiddenValues {
  /** Tells one set of values from another; empty where nothing is hidden. */
  readonly key: string
  readonly scrubIds: readonly string[]
  readonly automaton: Automaton | undefined
  readonly hide: Hide
}

const NOTHING: HiddenValues = { key: '', scrubIds: [], automaton: undefined, hide: (lines) => lines }

/** The scrubs of a run whose lines are not all rewritten, made ready to be applied to what is read. */
export async function readHidden(kit: Kit, db: Queryable, runId: string): Promise<HiddenValues> {
  const scrubs = await listOpenScrubs(db, runId)
  if (scrubs.length === 0) return NOTHING
  const values = scrubs.flatMap(({ id, sealedValues }) => readValues(kit.sealer.open(sealedValues, sealContext(id))))
  const forms = new Set(values.flatMap(derivedForms))
  const automaton = buildAutomaton([...forms].map((form) => Buffer.from(form)))
  const scrubIds = scrubs.map(({ id }) => id)
  return { key: scrubIds.join(), scrubIds, automaton, hide: hideWith(automaton) }
}

export function sealContext(scrubId: string): string {
  return `log scrub ${scrubId}`
}

function hideWith(automaton: Automaton): Hide {
  return (lines) => {
    const scrubbed = lines.index && scrubLines(lines.bytes, lines.index, automaton)
    return scrubbed && lines.index ? new UnpackedLines(scrubbed.bytes, lines.index.count) : lines
  }
}

function readValues(text: string): string[] {
  const values: unknown = JSON.parse(text)
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
}
