import type {
  KnowledgeRevisionQuery,
  KnowledgeRevisionSummary,
  KnowledgeRevision as WireRevision,
} from '@signalbox/contracts/knowledge'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import { identifierOf, PLATFORM, type Revision, type RevisionHead } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { getVisibleItem, maySee } from './find-item.ts'

const DEFAULT_LIMIT = 50

/** Of one item, newest first. */
export async function listRevisions(
  kit: Kit,
  caller: Caller,
  idOrIdentifier: string,
  query: KnowledgeRevisionQuery,
): Promise<Page<RevisionHead>> {
  const db = kit.database.kysely
  const item = await getVisibleItem(db, caller, idOrIdentifier)
  const limit = query.limit ?? DEFAULT_LIMIT
  const before = readCursor(query.cursor)
  return toPage(await store.listRevisions(db, { itemId: item.id, before, limit: limit + 1 }), limit)
}

/** By its id, as runs pin it; also when its item is gone. */
export async function getVisibleRevision(kit: Kit, caller: Caller, id: string): Promise<Revision> {
  const revision = await store.findRevision(kit.database.kysely, id)
  // Asked in any case, so that the answer does not tell whether the revision exists.
  if (maySee(caller, revision?.teamPath ?? PLATFORM) && revision) return revision
  throw platformProblem('not_found', `There is no revision ${id} of a knowledge item that you may see.`)
}

export function presentRevisionSummary(revision: RevisionHead): KnowledgeRevisionSummary {
  return {
    id: revision.id,
    item_id: revision.itemId,
    team_path: revision.teamPath,
    name: revision.name,
    identifier: identifierOf(revision),
    kind: revision.kind,
    revision: revision.revision,
    scope: revision.scope,
    rule: revision.rule,
    at: revision.at,
    time_zone: revision.timeZone,
    message: revision.message,
    saved_by: revision.savedBy,
    saved_at: toWireTime(revision.savedAt),
  }
}

export function presentRevision(revision: Revision): WireRevision {
  return { ...presentRevisionSummary(revision), text: revision.text }
}
