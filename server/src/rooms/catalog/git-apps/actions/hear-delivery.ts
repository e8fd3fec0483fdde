import type { Tx } from '#platform/database'
import type { Means } from '../means.ts'
import { type InstallationNews, readInstallationNews } from '../rules/installation-news.ts'
import { REMOVED, SUSPENDED } from '../rules/standing.ts'
import { type AppRow, findAppOfSource } from '../store/apps.ts'
import {
  type InstallationName,
  type InstallationRow,
  insertInstallation,
  lockInstallation,
  updateInstallation,
} from '../store/installations.ts'
import { deleteRepositories } from '../store/repositories.ts'
import { queueRefresh } from './queue-refresh.ts'
import { auditStanding, restrict } from './restrict-installation.ts'

export interface InstallationDelivery {
  /** As the provider names it. */
  readonly eventType: string
  readonly action: string | null
  readonly payload: unknown
}

/**
 * A verified delivery came through the app's source. Deliveries come twice and out of order: a restriction holds at once,
 * and one job for each installation then asks the provider what is true. A deletion is for ever.
 */
export async function hearDelivery(
  means: Means,
  tx: Tx,
  sourceId: string,
  { eventType, action, payload }: InstallationDelivery,
): Promise<void> {
  const news = readInstallationNews(eventType, action, payload)
  const app = news && (await findAppOfSource(tx, sourceId))
  if (!app) return
  const name = { provider: app.provider, installationId: news.installationId }
  const row = await lockInstallation(tx, name)
  if (news.restricts === 'deleted') return noteDeleted(means, tx, name, { row, news })
  if (row?.deletedAt) return
  if (row && news.restricts === 'suspended') await restrict(means, tx, row, SUSPENDED)
  if (row && news.removed.length > 0) await dropRepositories(tx, row, news.removed)
  if (row || news.mayBeNew) await queueRefresh(means, tx, { ...name, mayBeNew: news.mayBeNew })
}

/** One that nobody knew is remembered, too: its `created` may come later. */
async function noteDeleted(
  means: Means,
  tx: Tx,
  { provider, installationId }: InstallationName,
  { row, news }: { readonly row: InstallationRow | undefined; readonly news: InstallationNews },
): Promise<void> {
  const deletedAt = means.clock.now()
  if (row) {
    if (row.deletedAt) return
    const after = { ...row, ...REMOVED, suspendedAt: null, deletedAt, version: row.version + 1 }
    await updateInstallation(tx, after)
    return auditStanding(means, tx, row, after)
  }
  await insertInstallation(tx, {
    ...emptyInstallation(means, { provider, installationId }),
    ...REMOVED,
    account: news.account,
    deletedAt,
  })
}

async function dropRepositories(tx: Tx, row: InstallationRow, ids: readonly string[]): Promise<void> {
  const gone = await deleteRepositories(tx, row.id, ids)
  await updateInstallation(tx, {
    ...row,
    repositoryCount: Math.max(0, row.repositoryCount - gone),
    version: row.version + 1,
  })
}

/** An installation of which nothing but its id is known. */
export function emptyInstallation(
  means: Means,
  name: { readonly provider: AppRow['provider']; readonly installationId: string },
): InstallationRow {
  return {
    id: means.ids.next(),
    ...name,
    account: null,
    status: 'unverified',
    reason: null,
    repositorySelection: null,
    permissions: {},
    htmlUrl: null,
    suspendedAt: null,
    deletedAt: null,
    lastVerifiedAt: null,
    refreshedAt: null,
    repositoryCount: 0,
    version: 1,
    pages: [],
    createdAt: means.clock.now(),
  }
}
