import type { KnowledgeValidation } from '@signalbox/contracts/knowledge'
import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import type { ItemContent, ItemPlace } from '../rules/index.ts'
import { checkItem, presentCheck, requireReader } from './check-item.ts'

/** The faults that a save would find, without saving; for callers who may see the knowledge of the team. */
export async function validateItem(
  means: Means,
  caller: Caller,
  input: ItemPlace & ItemContent,
): Promise<KnowledgeValidation> {
  requireReader(caller, input.teamPath)
  return presentCheck(await checkItem(means, means.database.kysely, input))
}
