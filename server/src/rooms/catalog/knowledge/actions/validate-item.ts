import type { KnowledgeValidation } from '@signalbox/contracts/knowledge'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { KnowledgeMeans } from '../index.ts'
import type { ItemContent, ItemPlace } from '../rules/index.ts'
import { checkItem, presentCheck } from './check-item.ts'
import { maySee } from './find-item.ts'

/** What a save would find wrong, without saving: for whoever may see what lies at the team. */
export async function validateItem(
  kit: Kit,
  means: KnowledgeMeans,
  caller: Caller,
  input: ItemPlace & ItemContent,
): Promise<KnowledgeValidation> {
  if (!maySee(caller, input.teamPath)) {
    throw platformProblem('forbidden', `You need knowledge.read on ${input.teamPath} to check an item of it.`)
  }
  return presentCheck(await checkItem(kit.database.kysely, means, input))
}
