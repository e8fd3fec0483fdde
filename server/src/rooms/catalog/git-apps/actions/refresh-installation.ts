import type { ForgeFailure, FoundInstallation, RepositoryList } from '#adapters/forges'
import type { Tx } from '#platform/database'
import type { Means } from '../means.ts'
import { keepPages, recallPages } from '../rules/pages.ts'
import { REMOVED, standingOf } from '../rules/standing.ts'
import { findApp } from '../store/apps.ts'
import {
  findInstallation,
  type InstallationName,
  type InstallationRow,
  insertInstallation,
  lockInstallation,
  updateInstallation,
} from '../store/installations.ts'
import { deleteRepositories, listRepositories, type RepositoryRow, saveRepositories } from '../store/repositories.ts'
import { callWithToken } from './call-with-token.ts'
import { type ConnectedApp, connectApp } from './connect-app.ts'
import { auditStanding, noteRefusal } from './restrict-installation.ts'

export interface RefreshedRepositories {
  readonly row: InstallationRow
  readonly added: number
  readonly removed: number
  readonly calls: number
}

export type RefreshOutcome =
  | ({ readonly outcome: 'refreshed' } & RefreshedRepositories)
  /** There is no such record, and none is to be made. */
  | { readonly outcome: 'absent' }
  /** The provider said no, and the record says so from now on. */
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly failure: ForgeFailure }
  /** Nobody can act as the app. */
  | { readonly outcome: 'unusable'; readonly reason: string }

/** How often an answer that became old while it was asked for is asked for anew. */
const ATTEMPTS = 3

/**
 * Asks the provider for an installation and all its repositories, and keeps the answer. `mayBeNew`: an installation that
 * nobody knew is kept, for no team.
 */
export async function refreshInstallation(
  means: Means,
  name: InstallationName,
  { signal, mayBeNew = false }: { signal: AbortSignal; mayBeNew?: boolean },
): Promise<RefreshOutcome> {
  const app = await findApp(means.database.kysely, name.provider)
  if (!app) return { outcome: 'absent' }
  const connected = await connectApp(means, means.database.kysely, app)
  if ('unusable' in connected) return { outcome: 'unusable', reason: connected.unusable }
  for (let attempt = 1; ; attempt += 1) {
    const answer = await askOnce(means, connected, name, { signal, mayBeNew })
    if (answer.outcome !== 'outdated') return answer
    if (attempt === ATTEMPTS) return { outcome: 'failed', failure: BUSY }
  }
}

const BUSY: ForgeFailure = {
  outcome: 'failed',
  reason: 'The installation changes faster than the provider answers.',
  retry: true,
}

async function askOnce(
  means: Means,
  connected: ConnectedApp,
  name: InstallationName,
  { signal, mayBeNew }: { signal: AbortSignal; mayBeNew: boolean },
): Promise<RefreshOutcome | { readonly outcome: 'outdated' }> {
  const before = await findInstallation(means.database.kysely, name)
  if (!before && !mayBeNew) return { outcome: 'absent' }
  if (before?.deletedAt) return { outcome: 'refused', reason: REMOVED.reason ?? '' }
  const found = await connected.apps.findInstallation(connected.connection(signal), name.installationId)
  if (found.outcome !== 'found') return refused(means, name, found)
  const answer: Answered = { name, before, known: [], found: found.value, list: undefined }
  if (found.value.suspendedAt !== null) {
    await store(means, connected, answer)
    return { outcome: 'refused', reason: standingOf(found.value, [], {}).reason ?? '' }
  }
  const known = before ? await listRepositories(means.database.kysely, before.id) : []
  const pages = recallPages(before?.pages ?? [], new Map(known.map((repository) => [repository.id, repository])))
  const wanted = { installationId: name.installationId, repository: null, grants: { metadata: 'read' } } as const
  const listed = await callWithToken(means, connected, wanted, {
    signal,
    work: (token) =>
      connected.apps.listRepositories(connected.connection(signal), {
        installationId: name.installationId,
        token,
        known: pages,
      }),
  })
  if (listed.outcome !== 'found') return refused(means, name, listed)
  return store(means, connected, { ...answer, known, list: listed.value })
}

/** The provider's no is kept; a failure changes nothing. */
async function refused(
  means: Means,
  name: InstallationName,
  answer: { readonly outcome: 'not_found' } | ForgeFailure,
): Promise<RefreshOutcome> {
  if (answer.outcome === 'not_found') {
    await noteRefusal(means, name, 'removed')
    return { outcome: 'refused', reason: REMOVED.reason ?? '' }
  }
  if (answer.cause !== 'suspended') return { outcome: 'failed', failure: answer }
  await noteRefusal(means, name, 'suspended')
  return { outcome: 'refused', reason: answer.reason }
}

interface Answered {
  readonly name: InstallationName
  readonly before: InstallationRow | undefined
  readonly known: readonly RepositoryRow[]
  readonly found: FoundInstallation
  /** Undefined: the installation is suspended, and shows no repositories. */
  readonly list: RepositoryList | undefined
}

async function store(
  means: Means,
  connected: ConnectedApp,
  answered: Answered,
): Promise<RefreshOutcome | { readonly outcome: 'outdated' }> {
  const { name, before } = answered
  const stored = await means.database.transaction(async (tx) => {
    const locked = before ? await lockInstallation(tx, name) : undefined
    if (before && !locked) return 'absent'
    // A restriction came meanwhile: the answer may be from before it.
    if (locked && locked.version !== before?.version) return 'outdated'
    const row = installationRow(means, connected, answered, locked)
    if (!locked && !(await insertInstallation(tx, row))) return 'outdated'
    if (locked) await updateInstallation(tx, row)
    if (locked) await auditStanding(means, tx, locked, row)
    return { row, ...(await storeRepositories(tx, row.id, answered)) }
  })
  if (stored === 'absent' || stored === 'outdated') return { outcome: stored }
  return { outcome: 'refreshed', ...stored, calls: (answered.list?.calls ?? 0) + 1 }
}

function installationRow(
  means: Means,
  { apps, app }: ConnectedApp,
  { name, found, list }: Answered,
  before: InstallationRow | undefined,
): InstallationRow {
  const now = means.clock.now()
  const suspendedAt = found.suspendedAt === null ? null : readTime(found.suspendedAt, now)
  return {
    id: before?.id ?? means.ids.next(),
    ...name,
    ...standingOf(found, apps.features, app.permissions),
    account: found.account,
    repositorySelection: found.selection,
    permissions: found.permissions,
    htmlUrl: found.htmlUrl,
    suspendedAt,
    deletedAt: null,
    lastVerifiedAt: list ? now : (before?.lastVerifiedAt ?? null),
    refreshedAt: now,
    repositoryCount: list ? list.repositories.length : (before?.repositoryCount ?? 0),
    version: before?.version ?? 1,
    pages: list ? keepPages(list.pages) : (before?.pages ?? []),
    createdAt: before?.createdAt ?? now,
  }
}

/** Times of a provider are read with care: one that is no time is now. */
function readTime(text: string, now: Date): Date {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? now : at
}

async function storeRepositories(
  tx: Tx,
  installation: string,
  { known, list }: Answered,
): Promise<{ readonly added: number; readonly removed: number }> {
  if (!list) return { added: 0, removed: 0 }
  const before = new Map(known.map((repository) => [repository.id, repository]))
  const found = new Map(list.repositories.map((repository) => [repository.id, repository]))
  const changed = [...found.values()].filter((repository) => !isSame(repository, before.get(repository.id)))
  const gone = known.filter(({ id }) => !found.has(id)).map(({ id }) => id)
  await deleteRepositories(tx, installation, gone)
  await saveRepositories(tx, installation, changed)
  return { added: [...found.keys()].filter((id) => !before.has(id)).length, removed: gone.length }
}

function isSame(a: RepositoryRow, b: RepositoryRow | undefined): boolean {
  return b !== undefined && a.fullName === b.fullName && a.private === b.private && a.defaultBranch === b.defaultBranch
}
