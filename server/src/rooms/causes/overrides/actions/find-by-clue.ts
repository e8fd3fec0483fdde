import type { Caller } from '#platform/http'
import type { Clue, FoundByClue } from '#platform/room'
import type { Means } from '../means.ts'
import { fullNameOf } from '../rules/index.ts'
import { findVisibleOverride } from './find-override.ts'

/** A longer name could hold a sentence, and it is shown as a name of ours. */
const LONGEST_NAME = 200

/** The override of a repository, where the caller may see it. */
export async function findByClue(means: Means, caller: Caller, clue: Clue): Promise<readonly FoundByClue[]> {
  if (clue.kind !== 'repository') return []
  const slash = clue.repository.lastIndexOf('/')
  const [repoOwner, repoName] = [clue.repository.slice(0, slash), clue.repository.slice(slash + 1)]
  const found = await findVisibleOverride(means, caller, { repoOwner, repoName })
  if (!found) return []
  const { override } = found
  const name = fullNameOf(override)
  if (name.length > LONGEST_NAME) return []
  const why = 'It decides about the events of this repository.'
  return [{ kind: 'override', id: name, name, teamPath: override.teamPath, why, told: null }]
}
