import type { ForgeAnswer, LoggedPage } from '#adapters/forges'
import { madeAt } from '#platform/ids'
import type { CommandedSource, MadeHook } from '#rooms/causes/sources'
import type { Means } from '../means.ts'
import type { LogPlace } from '../store/index.ts'

/** The log of one webhook, as its provider keeps it. */
export interface MissedLog {
  readonly place: LogPlace
  readonly provider: string
  /** What was sent before was for somebody else. */
  readonly since: Date
  list(cursor: string | null): Promise<ForgeAnswer<LoggedPage>>
  sendAgain(attemptId: string): Promise<ForgeAnswer<null>>
}

const NO_LOG = { outcome: 'failed', reason: 'The provider keeps no log of its deliveries.', retry: false } as const

/** The logs of one source, or of all; a source that is disabled has none, as it would refuse what came. */
export async function findLogs(
  means: Means,
  sourceId: string | undefined,
  signal: AbortSignal,
): Promise<readonly MissedLog[]> {
  const db = means.database.kysely
  const logs: MissedLog[] = []
  for (const app of await means.gitApps.listApps()) {
    if (app.sourceId === null || (sourceId !== undefined && app.sourceId !== sourceId)) continue
    const source = await means.sources.findCommanded(db, app.sourceId)
    if (source?.enabled && means.forges.find(app.provider)?.deliveries?.ofApp) {
      logs.push(ofApp(means, source, signal))
    }
  }
  for (const hook of await means.sources.listHooks(db, sourceId)) {
    const source = await means.sources.findCommanded(db, hook.sourceId)
    const log = source && ofHook(means, source, hook, signal)
    if (log) logs.push(log)
  }
  return logs
}

function ofApp(means: Means, { id, provider }: CommandedSource, signal: AbortSignal): MissedLog {
  const { gitApps } = means
  return {
    place: { sourceId: id, repository: '' },
    provider,
    since: madeAt(id),
    list: (cursor) =>
      gitApps.asApp(provider, signal, async (connection, { deliveries }) =>
        deliveries?.ofApp ? deliveries.ofApp.list(connection, cursor) : NO_LOG,
      ),
    sendAgain: (attemptId) =>
      gitApps.asApp(provider, signal, async (connection, { deliveries }) =>
        deliveries?.ofApp ? deliveries.ofApp.sendAgain(connection, attemptId) : NO_LOG,
      ),
  }
}

/** Undefined where the source cannot ask for it: the tokens of an app show no webhooks of repositories. */
function ofHook(means: Means, source: CommandedSource, hook: MadeHook, signal: AbortSignal): MissedLog | undefined {
  const { baseUrl, checkoutCredentialRef: ref, provider, teamPath } = source
  const log = means.forges.find(provider)?.deliveries?.ofHook
  if (!log || baseUrl === undefined || ref === null || ref.startsWith('app:')) return undefined
  const { repository } = hook
  if (!source.admits(repository)) return undefined
  const wish = { ref, teamPath, repository, uses: [], baseUrl }
  return {
    place: { sourceId: source.id, repository: repository.toLowerCase() },
    provider,
    // Not since the webhook was mended last: what was lost before that is asked for, too.
    since: madeAt(source.id),
    list: (cursor) => means.gitApps.call(wish, signal, (token) => log.list({ baseUrl, token, signal }, hook, cursor)),
    sendAgain: (attemptId) =>
      means.gitApps.call(wish, signal, (token) => log.sendAgain({ baseUrl, token, signal }, hook, attemptId)),
  }
}

/** Whether `findLogs` finds one, of a source that was read before. */
export async function hasLog(means: Means, source: CommandedSource): Promise<boolean> {
  const apps = await means.gitApps.listApps()
  const isOfApp = apps.some(({ sourceId, provider }) => {
    return sourceId === source.id && means.forges.find(provider)?.deliveries?.ofApp !== undefined
  })
  if (isOfApp) return true
  const hooks = await means.sources.listHooks(means.database.kysely, source.id)
  return hooks.some((hook) => ofHook(means, source, hook, AbortSignal.abort()) !== undefined)
}
