import { type ParseResult, type ProblemCode, parsePipeline, references } from '@signalbox/pipeline/document'
import type { Graph } from '@signalbox/pipeline/graph'
import type { Queryable } from '#platform/database'
import type { Profiles } from '#rooms/catalog/profiles'

/** What this room asks of the room of secrets. */
export interface SecretCheck {
  /** Why `secret:<team path>/<name>` cannot be used by a team, as a sentence; undefined when it can. */
  check(db: Queryable, ref: string, forTeamPath: string): Promise<string | undefined>
}

export interface CheckNeeds {
  readonly profiles: Profiles
  readonly secrets: SecretCheck
}

/** One entry of `errors` or `warnings`; line and column count from 1. */
export interface DocumentFault {
  readonly code: ProblemCode | 'unknown_secret' | 'unknown_profile'
  readonly directive: string
  readonly line: number
  readonly column: number
  readonly message: string
}

export type CheckedDocument =
  | {
      readonly ok: true
      readonly name: string
      readonly graph: Graph
      readonly profileId: string | null
      readonly warnings: readonly DocumentFault[]
    }
  | { readonly ok: false; readonly errors: readonly DocumentFault[]; readonly warnings: readonly DocumentFault[] }

/**
 * Everything that is wrong with a document, in the order of its text. What it names outside itself (secrets, a profile)
 * is looked up for a team; without one it is left unchecked.
 */
export async function checkDocument(
  needs: CheckNeeds,
  db: Queryable,
  text: string,
  teamPath: string | undefined,
): Promise<CheckedDocument> {
  const parsed = parsePipeline(text)
  if (!parsed.ok) return { ok: false, errors: parsed.problems, warnings: parsed.warnings }
  const { name } = parsed.pipeline
  if (teamPath === undefined) {
    return { ok: true, name, graph: parsed.graph, profileId: null, warnings: parsed.warnings }
  }
  const { faults, profileId } = await checkReferences(needs, db, parsed, teamPath)
  if (faults.length > 0) return { ok: false, errors: faults, warnings: parsed.warnings }
  return { ok: true, name, graph: parsed.graph, profileId, warnings: parsed.warnings }
}

async function checkReferences(
  needs: CheckNeeds,
  db: Queryable,
  parsed: Extract<ParseResult, { ok: true }>,
  teamPath: string,
): Promise<{ faults: DocumentFault[]; profileId: string | null }> {
  const faults: DocumentFault[] = []
  const secrets = new Map<string, string | undefined>()
  let profileId: string | null = null
  for (const { kind, target, directive, line, column } of references(parsed.pipeline)) {
    if (kind === 'profile') {
      const profile = await needs.profiles.resolve(db, target, teamPath)
      if ('problem' in profile)
        faults.push({ code: 'unknown_profile', directive, line, column, message: profile.problem })
      else profileId = profile.profileId
      continue
    }
    if (!secrets.has(target)) secrets.set(target, await needs.secrets.check(db, `secret:${target}`, teamPath))
    const message = secrets.get(target)
    if (message !== undefined) faults.push({ code: 'unknown_secret', directive, line, column, message })
  }
  return { faults: faults.toSorted((a, b) => a.line - b.line || a.column - b.column), profileId }
}
