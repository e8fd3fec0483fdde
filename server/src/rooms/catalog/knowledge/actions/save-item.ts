import { type Tx, uniqueViolation } from '#platform/database'
import { type Caller, checkIfMatch, etagOf, laterThan, type RequestOrigin, requirePermission } from '#platform/http'
import { knowledgeProblem } from '../errors.ts'
import { KNOWLEDGE_CHANGED, knowledgeTold } from '../facts.ts'
import type { Means } from '../means.ts'
import { type Item, type ItemContent, type ItemPlace, identifierOf, PLATFORM } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { checkItem, requireSound } from './check-item.ts'
import { getVisibleItem, presentItem, unknownItem } from './find-item.ts'

/** A new item, and its first revision. Throws knowledge.invalid (400), forbidden (403), knowledge.name_taken (409). */
export async function createItem(means: Means, origin: RequestOrigin, input: ItemPlace & ItemContent): Promise<Item> {
  requireWriter(origin.caller, input)
  const now = means.clock.now()
  const item: Item = {
    ...input,
    id: means.ids.next(),
    revision: 1,
    revisionId: means.ids.next(),
    savedBy: origin.caller.name,
    createdAt: now,
    updatedAt: now,
  }
  try {
    return await means.database.transaction(
      async (tx) => {
        if (item.teamPath !== PLATFORM) await means.teams.getTeamByPath(tx, item.teamPath)
        await saveRevision(means, tx, item)
        await store.insertItem(tx, item)
        await recordSave(means, tx, origin, { before: undefined, after: item })
        return item
      },
      { afterCommit: means.copy.invalidate },
    )
  } catch (error) {
    if (uniqueViolation(error) !== 'knowledge_items_name_taken') throw error
    const detail = `${identifierOf(item)} exists already: choose another name, or change that one.`
    throw knowledgeProblem('knowledge.name_taken', detail, { cause: error })
  }
}

export interface ItemReplacement extends ItemContent {
  readonly idOrIdentifier: string
  /** As the document that was read says; these three must be those of the item. */
  readonly teamPath: string | undefined
  readonly name: string | undefined
  readonly kind: ItemPlace['kind'] | undefined
}

/**
 * The next revision of an item, with the whole content anew; runs that pinned the one before keep it. Throws
 * knowledge.invalid (400), forbidden (403), not_found (404), version_conflict (409).
 */
export async function replaceItem(means: Means, origin: RequestOrigin, change: ItemReplacement): Promise<Item> {
  const seen = await getVisibleItem(means, origin.caller, change.idOrIdentifier)
  requireWriter(origin.caller, seen)
  refuseMove(seen, change)
  return means.database.transaction(
    async (tx) => {
      const before = await store.lockItem(tx, seen.id)
      if (!before) throw unknownItem(change.idOrIdentifier)
      checkIfMatch(origin.ifMatch, etagOf(before.revision))
      const { scope, rule, judgedAt, timeZone, message, text } = change
      const after: Item = {
        ...before,
        scope,
        rule,
        judgedAt,
        timeZone,
        message,
        text,
        revision: before.revision + 1,
        revisionId: means.ids.next(),
        savedBy: origin.caller.name,
        updatedAt: laterThan(before.updatedAt, means.clock.now()),
      }
      await saveRevision(means, tx, after)
      await store.setRevision(tx, after)
      await recordSave(means, tx, origin, { before, after })
      return after
    },
    { afterCommit: means.copy.invalidate },
  )
}

/** Only owners write policies, so that the editors of pipelines do not write the rules that bind them. */
export function requireWriter(caller: Caller, { kind, teamPath }: ItemPlace): void {
  const permission = kind === 'policy' ? 'policy.write' : 'knowledge.write'
  requirePermission(caller, permission, teamPath)
}

function refuseMove(seen: Item, { teamPath, name, kind }: ItemReplacement): void {
  const errors = []
  if (teamPath !== undefined && teamPath !== seen.teamPath) {
    errors.push({ field: 'team_path', message: `must stay ${seen.teamPath}: create an item in the other team` })
  }
  if (name !== undefined && name !== seen.name) errors.push({ field: 'name', message: `must stay ${seen.name}` })
  if (kind !== undefined && kind !== seen.kind) {
    errors.push({ field: 'kind', message: `must stay ${seen.kind}: delete it and create another one` })
  }
  const [first] = errors
  if (first) throw knowledgeProblem('knowledge.invalid', `${first.field} ${first.message}.`, { errors })
}

/** Throws knowledge.invalid (400). */
async function saveRevision(means: Means, tx: Tx, item: Item): Promise<void> {
  requireSound(await checkItem(means, tx, item))
  const { id: itemId, revisionId: id, createdAt: _, updatedAt: savedAt, ...revision } = item
  await store.insertRevision(tx, { ...revision, id, itemId, savedAt })
}

async function recordSave(
  means: Means,
  tx: Tx,
  origin: RequestOrigin,
  { before, after }: { readonly before: Item | undefined; readonly after: Item },
): Promise<void> {
  await means.audit.record(tx, {
    origin,
    action: before ? 'knowledge.updated' : 'knowledge.created',
    resource: { kind: 'knowledge', id: after.id },
    teamPath: after.teamPath,
    ...(before ? { before: presentItem(before) } : {}),
    after: presentItem(after),
  })
  await means.facts.tell(tx, KNOWLEDGE_CHANGED.kind, KNOWLEDGE_CHANGED.version, knowledgeTold(after))
}
