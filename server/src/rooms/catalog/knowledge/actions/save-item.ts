import { type Tx, uniqueViolation } from '#platform/database'
import { type Caller, checkIfMatch, etagOf, laterThan, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { knowledgeProblem } from '../errors.ts'
import { KNOWLEDGE_CHANGED, knowledgeTold } from '../facts.ts'
import type { KnowledgeMeans } from '../index.ts'
import { type Item, type ItemContent, type ItemPlace, identifierOf, PLATFORM } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { checkItem, requireSound } from './check-item.ts'
import { getVisibleItem, presentItem, unknownItem } from './find-item.ts'

/** A new item, and its first revision. Throws knowledge.invalid (400), forbidden (403), knowledge.name_taken (409). */
export async function createItem(
  kit: Kit,
  means: KnowledgeMeans,
  origin: RequestOrigin,
  input: ItemPlace & ItemContent,
): Promise<Item> {
  requireWriter(origin.caller, input)
  const now = kit.clock.now()
  const item: Item = {
    ...input,
    id: kit.ids.next(),
    revision: 1,
    revisionId: kit.ids.next(),
    savedBy: origin.caller.name,
    createdAt: now,
    updatedAt: now,
  }
  try {
    await kit.database.transaction(async (tx) => {
      if (item.teamPath !== PLATFORM) await means.teams.getTeamByPath(tx, item.teamPath)
      requireSound(await checkItem(tx, means, item))
      await saveRevision(tx, item)
      await store.insertItem(tx, item)
      await tell(kit, tx, means, origin, undefined, item)
    })
  } catch (error) {
    if (uniqueViolation(error) !== 'knowledge_items_name_taken') throw error
    const detail = `${identifierOf(item)} exists already: choose another name, or change that one.`
    throw knowledgeProblem('knowledge.name_taken', detail, { cause: error })
  }
  means.changed()
  return item
}

export interface ItemReplacement extends ItemContent, Partial<ItemPlace> {
  readonly idOrIdentifier: string
  readonly ifMatch: string | string[] | undefined
}

/**
 * The next revision of an item, with the whole content anew; runs that pinned the one before keep it. Throws
 * knowledge.invalid (400), forbidden (403), not_found (404), version_conflict (409).
 */
export async function replaceItem(
  kit: Kit,
  means: KnowledgeMeans,
  origin: RequestOrigin,
  change: ItemReplacement,
): Promise<Item> {
  const seen = await getVisibleItem(kit.database.kysely, origin.caller, change.idOrIdentifier)
  requireWriter(origin.caller, seen)
  refuseMove(seen, change)
  const saved = await kit.database.transaction(async (tx) => {
    const before = await store.lockItem(tx, seen.id)
    if (!before) throw unknownItem(change.idOrIdentifier)
    checkIfMatch(change.ifMatch, etagOf(before.revision))
    const { scope, rule, at, timeZone, message, text } = change
    const after: Item = {
      ...before,
      scope,
      rule,
      at,
      timeZone,
      message,
      text,
      revision: before.revision + 1,
      revisionId: kit.ids.next(),
      savedBy: origin.caller.name,
      updatedAt: laterThan(before.updatedAt, kit.clock.now()),
    }
    requireSound(await checkItem(tx, means, after))
    await saveRevision(tx, after)
    await store.setRevision(tx, after)
    await tell(kit, tx, means, origin, before, after)
    return after
  })
  means.changed()
  return saved
}

/** Policies are written by owners, so that whoever writes pipelines does not write what binds them. */
export function requireWriter(caller: Caller, { kind, teamPath }: ItemPlace): void {
  const permission = kind === 'policy' ? 'policy.write' : 'knowledge.write'
  if (caller.can(permission, teamPath)) return
  throw platformProblem('forbidden', `You need ${permission} on ${teamPath} to write a ${kind} there.`)
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

async function saveRevision(tx: Tx, item: Item): Promise<void> {
  const { id, revisionId, updatedAt, ...revision } = item
  await store.insertRevision(tx, { ...revision, id: revisionId, itemId: id, savedAt: updatedAt })
}

async function tell(
  kit: Kit,
  tx: Tx,
  means: KnowledgeMeans,
  origin: RequestOrigin,
  before: Item | undefined,
  after: Item,
): Promise<void> {
  await means.audit.record(tx, {
    origin,
    action: before ? 'knowledge.updated' : 'knowledge.created',
    resource: { kind: 'knowledge', id: after.id },
    teamPath: after.teamPath,
    ...(before ? { before: presentItem(before) } : {}),
    after: presentItem(after),
  })
  await kit.facts.tell(tx, KNOWLEDGE_CHANGED.kind, KNOWLEDGE_CHANGED.version, knowledgeTold(after))
}
