import type { KnowledgeInput } from '@signalbox/contracts/knowledge'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { type ItemTrial, identifierOf, trialOf } from '../rules/index.ts'
import { checkItem, requireReader, requireSound } from './check-item.ts'
import { getVisibleItem } from './find-item.ts'
import { readItem } from './read-input.ts'

/** The item by its id or identifier, or as somebody drafted it: one of the two. */
export interface TrialWish {
  readonly item?: string | undefined
  readonly draft?: KnowledgeInput | undefined
}

export interface PreparedTrial {
  readonly identifier: string
  readonly teamPath: string
  readonly ask: ItemTrial
}

/** A draft that was never saved has no id, and its revisions are never pinned. */
const NO_ID = ''

/**
 * An item that the caller may see, ready to be asked about many places. Throws invalid_request and knowledge.invalid (400),
 * forbidden (403), not_found (404).
 */
export async function prepareTrial(means: Means, caller: Caller, { item, draft }: TrialWish): Promise<PreparedTrial> {
  if (item !== undefined && draft === undefined) return prepared(await getVisibleItem(means, caller, item))
  if (draft === undefined || item !== undefined) {
    const message = 'either this or draft is required, and not both'
    throw platformProblem('invalid_request', `item: ${message}.`, { errors: [{ field: 'item', message }] })
  }
  const read = readItem(draft)
  requireReader(caller, read.teamPath)
  requireSound(await checkItem(means, means.database.kysely, read))
  return prepared({ ...read, id: NO_ID })
}

function prepared(item: Parameters<typeof trialOf>[0]): PreparedTrial {
  return { identifier: identifierOf(item), teamPath: item.teamPath, ask: trialOf(item) }
}
