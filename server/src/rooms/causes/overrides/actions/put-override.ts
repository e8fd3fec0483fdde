import type { Queryable, Tx } from '#platform/database'
import { type Caller, checkIfMatch, etagOf, laterThan, ownerOf, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { overrideProblem } from '../errors.ts'
import { OVERRIDE_CHANGED, overrideTold } from '../facts.ts'
import type { Means } from '../means.ts'
import {
  findReplaced,
  findRival,
  foldName,
  fullNameOf,
  type Override,
  type RepositoryName,
  type Standed,
  standingOf,
  type VouchingSource,
} from '../rules/index.ts'
import * as store from '../store.ts'
import { invalid, requireTarget, type WantedTarget } from './check-target.ts'
import { canSee, presentStored, rightsOf, standingsOf } from './find-override.ts'

export interface OverrideWrite extends RepositoryName, WantedTarget {
  readonly expiresAt: Date | null
  readonly reason: string | null
}

/**
 * Makes the override of a repository or replaces it. The caller becomes its owner, on whose behalf its runs start, and must
 * be allowed to start them. An override that no source vouches for is stored without effect: it conflicts with no other, and
 * its writer learns of no other. Throws override.invalid (400), forbidden (403), override.conflict and version_conflict
 * (409).
 */
export async function putOverride(means: Means, origin: RequestOrigin, write: OverrideWrite): Promise<Standed> {
  const sources = (await means.above.listSources())(fullNameOf(write))
  const work = (tx: Tx): Promise<Standed> => writeOverride(means, tx, origin, { ...write, sources })
  return await means.database.transaction(work, { afterCommit: means.copy.invalidate })
}

async function writeOverride(
  means: Means,
  tx: Tx,
  origin: RequestOrigin,
  write: OverrideWrite & { readonly sources: readonly VouchingSource[] },
): Promise<Standed> {
  const { caller } = origin
  const { sources } = write
  const wanted = await readWanted(means, tx, caller, write)
  const now = wanted.updatedAt
  const stored = await store.lockRepository(tx, write)
  const before = findReplaced(rightsOf(caller), wanted.teamPath, standingsOf(stored, sources, now))
  checkBefore(origin, write, before)
  const after = before ? replacing(before, wanted) : wanted
  const others = stored.filter(({ id }) => id !== after.id)
  refuseRival(caller, findRival(after, others, sources, now))
  await (before ? store.updateOverride(tx, after) : store.insertOverride(tx, after))
  await tell(means, tx, origin, { before, after })
  return { override: after, standing: standingOf(after, others, sources, now) }
}

/** The override as it would be stored, in the name of the caller. Throws override.invalid (400) and forbidden (403). */
export async function readWanted(means: Means, db: Queryable, caller: Caller, write: OverrideWrite): Promise<Override> {
  const now = means.clock.now()
  const { repoOwner, repoName, expiresAt, reason } = write
  if (expiresAt !== null && expiresAt <= now) throw invalid([{ field: 'expires_at', message: 'must be ahead of now' }])
  const target = await requireTarget(means, db, caller, write)
  return {
    id: means.ids.next(),
    repoOwner,
    repoName,
    ...target,
    expiresAt,
    reason,
    owner: ownerOf(caller),
    createdAt: now,
    updatedAt: now,
  }
}

function checkBefore({ ifMatch }: RequestOrigin, write: OverrideWrite, before: Override | undefined): void {
  if (before) return checkIfMatch(ifMatch, etagOf(before.updatedAt))
  if (ifMatch === undefined) return
  throw platformProblem('version_conflict', `${fullNameOf(write)} has no override of yours: write without If-Match.`)
}

/** The conflict is told only to a caller with a source that vouches for both overrides. */
function refuseRival(caller: Caller, rival: Override | undefined): void {
  if (!rival) return
  const whose = canSee(caller, rival) ? `of the team ${rival.teamPath}` : 'of another team'
  throw overrideProblem(
    'override.conflict',
    `${fullNameOf(rival)} has an override ${whose}, which you may not replace: have it deleted first.`,
  )
}

function replacing(before: Override, wanted: Override): Override {
  const updatedAt = laterThan(before.updatedAt, wanted.updatedAt)
  return { ...wanted, id: before.id, createdAt: before.createdAt, updatedAt }
}

async function tell(
  means: Means,
  tx: Tx,
  origin: RequestOrigin,
  { before, after }: { readonly before: Override | undefined; readonly after: Override },
): Promise<void> {
  const now = means.clock.now()
  await means.audit.record(tx, {
    origin,
    action: before ? 'override.updated' : 'override.created',
    resource: { kind: 'override', id: foldName(fullNameOf(after)) },
    teamPath: after.teamPath,
    ...(before ? { before: presentStored(before, now) } : {}),
    after: presentStored(after, now),
  })
  await means.facts.tell(tx, OVERRIDE_CHANGED.kind, OVERRIDE_CHANGED.version, overrideTold(after))
}
