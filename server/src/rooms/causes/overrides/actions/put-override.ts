import { type Tx, uniqueViolation } from '#platform/database'
import { type Caller, checkIfMatch, etagOf, laterThan, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { overrideProblem } from '../errors.ts'
import { OVERRIDE_CHANGED, overrideTold } from '../facts.ts'
import type { OverrideNeeds } from '../index.ts'
import { foldName, fullNameOf, type Override } from '../rules/index.ts'
import * as store from '../store.ts'
import { invalid, ownerOf, requireTarget, type WantedTarget } from './check-target.ts'
import { canSee, presentOverride } from './find-override.ts'

export interface OverrideWrite extends store.RepositoryName, WantedTarget {
  readonly expiresAt: Date | null
  readonly reason: string | null
  readonly ifMatch: string | string[] | undefined
}

/**
 * Makes the override of a repository or replaces it. The caller becomes its owner, on whose behalf its runs start, and
 * must be allowed to start them. Throws override.invalid (400), forbidden (403), override.conflict and
 * version_conflict (409).
 */
export async function putOverride(
  kit: Kit,
  needs: OverrideNeeds,
  origin: RequestOrigin,
  write: OverrideWrite,
): Promise<Override> {
  for (;;) {
    try {
      return await kit.database.transaction((tx) => writeOverride(kit, tx, needs, origin, write))
    } catch (error) {
      // Two wrote the first one at once: the second replaces what the first has made. In a transaction of its own,
      // because every write takes the override first and the revision after it.
      if (uniqueViolation(error) !== 'overrides_repository_taken') throw error
    }
  }
}

async function writeOverride(
  kit: Kit,
  tx: Tx,
  needs: OverrideNeeds,
  origin: RequestOrigin,
  write: OverrideWrite,
): Promise<Override> {
  const wanted = await readWanted(kit, tx, needs, origin.caller, write)
  const before = await store.lockOverride(tx, write)
  checkBefore(origin.caller, write, before)
  const after = before ? replacing(before, wanted) : wanted
  await (before ? store.updateOverride(tx, after) : store.insertOverride(tx, after))
  await tell(kit, tx, needs, origin, before, after)
  return after
}

async function readWanted(
  kit: Kit,
  tx: Tx,
  needs: OverrideNeeds,
  caller: Caller,
  write: OverrideWrite,
): Promise<Override> {
  const now = kit.clock.now()
  const { repoOwner, repoName, expiresAt, reason } = write
  if (expiresAt !== null && expiresAt <= now) throw invalid([{ field: 'expires_at', message: 'must be ahead of now' }])
  const target = await requireTarget(tx, needs, caller, fullNameOf(write), write)
  const owner = ownerOf(caller)
  return {
    id: kit.ids.next(),
    repoOwner,
    repoName,
    ...target,
    expiresAt,
    reason,
    owner,
    createdAt: now,
    updatedAt: now,
  }
}

function checkBefore(caller: Caller, write: OverrideWrite, before: Override | undefined): void {
  if (!before) {
    if (write.ifMatch === undefined) return
    throw platformProblem('version_conflict', `${fullNameOf(write)} has no override: write without If-Match.`)
  }
  if (!caller.can('override.write', before.teamPath)) {
    const whose = canSee(caller, before) ? `of the team ${before.teamPath}` : 'of another team'
    throw overrideProblem(
      'override.conflict',
      `${fullNameOf(before)} has an override ${whose}, which you may not write: have it deleted first.`,
    )
  }
  checkIfMatch(write.ifMatch, etagOf(before.updatedAt))
}

function replacing(before: Override, wanted: Override): Override {
  const updatedAt = laterThan(before.updatedAt, wanted.updatedAt)
  return { ...wanted, id: before.id, createdAt: before.createdAt, updatedAt }
}

async function tell(
  kit: Kit,
  tx: Tx,
  needs: OverrideNeeds,
  origin: RequestOrigin,
  before: Override | undefined,
  after: Override,
): Promise<void> {
  const now = kit.clock.now()
  await needs.audit.record(tx, {
    origin,
    action: before ? 'override.updated' : 'override.created',
    resource: { kind: 'override', id: foldName(fullNameOf(after)) },
    teamPath: after.teamPath,
    ...(before ? { before: presentOverride(before, now) } : {}),
    after: presentOverride(after, now),
  })
  await kit.facts.tell(tx, OVERRIDE_CHANGED.kind, OVERRIDE_CHANGED.version, overrideTold(after))
}
