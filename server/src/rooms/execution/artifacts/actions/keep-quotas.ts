import type { Storage, StorageInput } from '@signalbox/contracts/artifacts'
import type { Queryable, Tx } from '#platform/database'
import { type Caller, type RequestOrigin, requirePermission, requireVisible } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { artifactProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'

const MB = 1024 * 1024

interface Quota {
  readonly artifactBytes: number
  readonly cacheBytes: number
}

/** The quota of a team: its own, else that of the nearest team above it, else as configured. */
export async function findQuota(means: Means, db: Queryable, teamPath: string): Promise<Quota> {
  const line = means.teams.selfAndAncestors(teamPath)
  const rows = new Map((await store.listQuotas(db, line)).map((row) => [row.teamPath, row]))
  const nearest = (pick: (row: store.QuotaRow) => number | null, otherwise: number): number => {
    for (const path of line) {
      const row = rows.get(path)
      const value = row ? pick(row) : null
      if (value !== null) return value
    }
    return otherwise
  }
  return {
    artifactBytes: nearest((row) => row.artifactBytes, means.config.artifactQuotaMb * MB),
    cacheBytes: nearest((row) => row.cacheBytes, means.config.cacheQuotaMb * MB),
  }
}

/** An archive that is to be sent. */
export interface Announced {
  readonly for: store.Purpose
  readonly sha256: string
  readonly size: number
}

/**
 * Throws `artifact.quota_exceeded` or `cache.quota_exceeded` (413) unless the team may keep it beside what it keeps and what
 * is announced and not yet kept. Caches that are kept do not count: newer ones take their space.
 */
export async function requireSpaceFor(means: Means, tx: Tx, teamPath: string, announced: Announced): Promise<void> {
  const { size } = announced
  const waiting = await store.sumWaiting(tx, teamPath, announced.for, announced)
  if (announced.for === 'artifact') return requireSpace(means, tx, teamPath, { size, waiting })
  const { cacheBytes } = await findQuota(means, tx, teamPath)
  if (waiting + size <= cacheBytes) return
  const detail = `${teamPath} may keep ${inMb(cacheBytes)} MB of caches; this one has ${inMb(size)} MB${beside(waiting)}. Make it smaller, or raise the quota (PUT /v1/storage).`
  throw artifactProblem('cache.quota_exceeded', detail)
}

/** Throws `artifact.quota_exceeded` (413) unless the team may keep `size` bytes more, while `waiting` bytes are sent. */
export async function requireSpace(
  means: Means,
  db: Queryable,
  teamPath: string,
  { size, waiting }: { readonly size: number; readonly waiting: number },
): Promise<void> {
  const { artifactBytes } = await findQuota(means, db, teamPath)
  const kept = await store.sumArtifacts(db, teamPath)
  if (kept + waiting + size <= artifactBytes) return
  const detail = `${teamPath} keeps ${inMb(kept)} MB of artifacts and may keep ${inMb(artifactBytes)} MB; this one has ${inMb(size)} MB${beside(waiting)}. Delete some, let them expire sooner, or raise the quota (PUT /v1/storage).`
  throw artifactProblem('artifact.quota_exceeded', detail)
}

function beside(waiting: number): string {
  return waiting === 0 ? '' : `, and ${inMb(waiting)} MB more were announced in the last hours`
}

function inMb(bytes: number): string {
  return (bytes / MB).toFixed(1)
}

export async function readStorage(means: Means, caller: Caller, teamPath: string): Promise<Storage> {
  requireVisible(caller, 'artifact.read', { teamPath }, () =>
    platformProblem('not_found', `There is no team ${teamPath} that you may see.`),
  )
  const db = means.database.kysely
  await means.teams.getTeamByPath(db, teamPath)
  return present(means, db, teamPath)
}

/** Sets what a team may keep. Lower than what it keeps: caches go, artifacts stay until they expire. */
export async function writeStorage(means: Means, origin: RequestOrigin, input: StorageInput): Promise<Storage> {
  const { team_path: teamPath } = input
  requirePermission(origin.caller, 'storage.write', teamPath)
  await means.teams.getTeamByPath(means.database.kysely, teamPath)
  return means.database.transaction(async (tx) => {
    const before = (await store.listQuotas(tx, [teamPath]))[0]
    const artifactBytes = chosen(input.artifact_quota_bytes, before?.artifactBytes)
    const cacheBytes = chosen(input.cache_quota_bytes, before?.cacheBytes)
    await store.writeQuota(tx, { teamPath, artifactBytes, cacheBytes }, means.clock.now())
    await means.audit.record(tx, {
      origin,
      action: 'storage.updated',
      resource: { kind: 'team', id: teamPath },
      teamPath,
      before: { artifact_quota_bytes: before?.artifactBytes ?? null, cache_quota_bytes: before?.cacheBytes ?? null },
      after: { artifact_quota_bytes: artifactBytes, cache_quota_bytes: cacheBytes },
    })
    if (cacheBytes !== null) await store.dropBeyond(tx, teamPath, cacheBytes)
    return present(means, tx, teamPath)
  })
}

function chosen(value: number | null | undefined, before: number | null | undefined): number | null {
  return value === undefined ? (before ?? null) : value
}

async function present(means: Means, db: Queryable, teamPath: string): Promise<Storage> {
  const quota = await findQuota(means, db, teamPath)
  return {
    team_path: teamPath,
    artifact_bytes: await store.sumArtifacts(db, teamPath),
    artifact_quota_bytes: quota.artifactBytes,
    cache_bytes: await store.sumCaches(db, teamPath),
    cache_quota_bytes: quota.cacheBytes,
  }
}
