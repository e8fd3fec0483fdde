import { readSha } from './git-names.ts'
import type { JsonObject } from './json-object.ts'
import { child } from './payload-fields.ts'

/**
 * The commit that a push of GitHub or Gitea ends at; null where it names none. The `after` of an annotated tag is the tag
 * itself: the commit that it stands for is the head commit.
 */
export function readPushedCommit(payload: JsonObject, tag: string | null): string | null {
  const after = readSha(payload['after']) ?? null
  return tag === null ? after : (readSha(child(payload, 'head_commit')['id']) ?? after)
}
