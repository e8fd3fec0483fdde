import type { ParseResult } from '@signalbox/pipeline/document'
import type { Graph } from '@signalbox/pipeline/graph'
import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import { type DocumentFault, inOrder } from '../rules/index.ts'
import { type CheckPlace, type FoundReferences, findReferences } from './find-references.ts'

export type CheckedDocument =
  | {
      readonly ok: true
      readonly name: string
      readonly graph: Graph
      readonly profileId: string | null
      /** The profiles that steps and tasks name: name in the document to id. */
      readonly profiles: Readonly<Record<string, string>>
      readonly warnings: readonly DocumentFault[]
    }
  | { readonly ok: false; readonly errors: readonly DocumentFault[]; readonly warnings: readonly DocumentFault[] }

const NOTHING_FOUND: FoundReferences = { errors: [], warnings: [], profileId: null, profiles: {} }

/**
 * Everything that is wrong with a document, in the order of its text. References (secrets, profiles, scopes, pipelines,
 * approvers) are looked up for the team and the writer of `place`; without a place they are not checked.
 */
export async function checkDocument(
  means: Means,
  db: Queryable,
  parsed: ParseResult,
  place: CheckPlace | undefined,
): Promise<CheckedDocument> {
  const names = parsed.ok ? parsed.pipeline : parsed
  const found = place === undefined ? NOTHING_FOUND : await findReferences(means, db, names, place)
  const warnings = inOrder([...parsed.warnings, ...found.warnings])
  const errors = inOrder([...(parsed.ok ? [] : parsed.problems), ...found.errors])
  if (!parsed.ok || errors.length > 0) return { ok: false, errors, warnings }
  const { pipeline, graph } = parsed
  return { ok: true, name: pipeline.name, graph, profileId: found.profileId, profiles: found.profiles, warnings }
}
