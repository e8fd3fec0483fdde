import { compilePatterns } from '@signalbox/pipeline/patterns'
import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import type { Source } from '../rules/index.ts'
import { findSource } from '../store/sources.ts'
import { findTold, type ToldSource } from './find-told.ts'

/** A source as commands in comments find it. */
export interface CommandedSource extends ToldSource, Pick<Source, 'enabled' | 'commentCommands' | 'owner'> {
  /** Whether the allowlist has the repository. */
  admits(repository: string): boolean
}

/** Undefined: it is gone. */
export async function findCommanded(
  means: Means,
  db: Queryable,
  sourceId: string,
): Promise<CommandedSource | undefined> {
  const source = await findSource(db, sourceId)
  const told = source && (await findTold(means, db, sourceId))
  if (!told) return undefined
  const { enabled, commentCommands, owner } = source
  const allowlist = compilePatterns(source.repositoryAllowlist, { caseInsensitive: true })
  return { ...told, enabled, commentCommands, owner, admits: (repository) => allowlist.matches(repository) }
}
