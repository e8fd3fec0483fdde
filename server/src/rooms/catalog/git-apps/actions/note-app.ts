import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import type { AppConnection, Forge, ForgeAnswer, FoundApp } from '#adapters/forges'
import type { Means } from '../means.ts'
import { findApp, lockApp, updateApp } from '../store/apps.ts'
import { connectApp, failedBy } from './connect-app.ts'

export const NOTE_JOB = 'git_apps.note-app'

/** Calls the provider as the app itself. */
export async function asApp<T>(
  means: Means,
  provider: GitAppProvider,
  { signal, work }: { signal: AbortSignal; work: (connection: AppConnection, forge: Forge) => Promise<ForgeAnswer<T>> },
): Promise<ForgeAnswer<T>> {
  const db = means.database.kysely
  const app = await findApp(db, provider)
  if (!app) return failedBy({ unusable: `No app of ${provider} is registered.` })
  const connected = await connectApp(means, db, app)
  if ('unusable' in connected) return failedBy(connected)
  return work(connected.connection(signal), connected.forge)
}

/** Asks the provider for the app, and keeps what it tells: its page, name, owner and rights. */
export async function askApp(
  means: Means,
  provider: GitAppProvider,
  signal: AbortSignal,
): Promise<ForgeAnswer<FoundApp>> {
  const answer = await asApp(means, provider, {
    signal,
    work: async (connection, forge): Promise<ForgeAnswer<FoundApp>> =>
      forge.apps ? forge.apps.find(connection) : { outcome: 'not_found' },
  })
  if (answer.outcome === 'found') await keep(means, provider, answer.value)
  return answer
}

async function keep(means: Means, provider: GitAppProvider, found: FoundApp): Promise<void> {
  await means.database.transaction(async (tx) => {
    const row = await lockApp(tx, provider)
    // The settings name another app by now, or a wrong one: nothing of it is kept.
    if (!row || row.appId !== found.appId) return
    const { slug, name, htmlUrl, account, permissions, events } = found
    await updateApp(tx, { ...row, slug: slug ?? row.slug, name, htmlUrl, account, permissions, events })
  })
}
