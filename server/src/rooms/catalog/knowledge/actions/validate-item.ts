import type { KnowledgeValidation } from '@signalbox/contracts/knowledge'
import { type Caller, canFromBelow, requirePermission } from '#platform/http'
import type { Means } from '../means.ts'
import type { ItemContent, ItemPlace } from '../rules/index.ts'
import { checkItem, presentCheck } from './check-item.ts'

/** What a save would find wrong, without saving: for whoever may see what lies at the team. */
export async function validateItem(
  means: Means,
  caller: Caller,
  input: ItemPlace & ItemContent,
): Promise<KnowledgeValidation> {
  if (!canFromBelow(caller, 'knowledge.read', input.teamPath))
    requirePermission(caller, 'knowledge.read', input.teamPath)
  return presentCheck(await checkItem(means, means.database.kysely, input))
}
