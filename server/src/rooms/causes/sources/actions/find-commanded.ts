import { compilePatterns } from '@signalbox/pipeline/patterns'
import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import type { Source } from '../rules/index.ts'
import type { CommandedSource } from '../rules/told-source.ts'
import { findSource } from '../store/sources.ts'
import { toldOf } from './find-told.ts'

export type { CommandedSource }

export function commandedOf(means: Pick<Means, 'config' | 'forges'>, source: Source): CommandedSource {
  const { enabled, commentCommands, owner } = source
  const allowlist = compilePatterns(source.repositoryAllowlist, { caseInsensitive: true })
  const admits = (repository: string): boolean => allowlist.matches(repository)
  return { ...toldOf(means, source), enabled, commentCommands, owner, admits }
}

/** Undefined: it is gone. */
export async function findCommanded(
  means: Means,
  db: Queryable,
  sourceId: string,
): Promise<CommandedSource | undefined> {
  const source = await findSource(db, sourceId)
  return source && commandedOf(means, source)
}
