import type { LiveSource } from '../ingress/source-book.ts'
import type { Means } from '../means.ts'
import { type AskedSource, explainSilence, judgeConnection, judgeHealth, type Telling } from '../rules/index.ts'
import { findConnection, findProof } from '../store/connections.ts'
import { listDeliveries } from '../store/deliveries.ts'
import { NO_ANSWERS, readNewestAnswers } from '../store/health.ts'
import { commandedOf } from './find-commanded.ts'
import type { ToldChanges } from './find-told-changes.ts'

/** Sources that are told of. */
const MOST_SOURCES = 5
/** Enough to tell a failing source from a healthy one. */
const ANSWERS = 50
const WEEK_MS = 7 * 86_400_000
const REFUSED = 20

type Asked = Pick<ToldChanges, 'readable' | 'asksChange'> & { readonly repository: string }

/** Why nothing of a repository, or of a change of it, is on record: what its sources do. */
export async function readSilence(means: Means, asked: Asked): Promise<Telling> {
  const { readable, repository, asksChange } = asked
  const admitting = readable.filter((live) => live.allows(repository)).slice(0, MOST_SOURCES)
  const sources = await Promise.all(admitting.map((live) => readSource(means, live, repository)))
  const sourceIds = readable.map(({ source }) => source.id)
  const [last] = await listDeliveries(means.database.kysely, { sourceIds, repository, limit: 1 })
  return explainSilence({
    seenSources: readable.length,
    sources,
    last: last ? { deliveryId: last.id, at: last.receivedAt } : null,
    keptDays: means.config.deliveryRecordRetentionDays,
    asksChange,
  })
}

async function readSource(means: Means, { source, forge }: LiveSource, repository: string): Promise<AskedSource> {
  const db = means.database.kysely
  const now = means.clock.now()
  const refused = { sourceIds: [source.id], result: 'rejected', since: new Date(now.getTime() - WEEK_MS) } as const
  const [answers, connection, standing, names, rejected] = await Promise.all([
    readNewestAnswers(db, [source.id], ANSWERS),
    findConnection(db, { sourceId: source.id, repository }),
    means.above.standingOf(commandedOf(means, source)),
    means.ingress.names.get(),
    listDeliveries(db, { ...refused, limit: REFUSED }),
  ])
  const newest = answers.get(source.id) ?? NO_ANSWERS
  const provider = forge?.title ?? source.provider
  const pausesAfter = forge?.webhooks.pausesAfter ?? null
  const proof = connection && (connection.firstDeliveryAt ?? (await findProof(db, connection)))
  const unread = rejected.filter((each) => each.repository === null && each.verification !== 'verified')
  const renamed = names
    .listRenamed(source.id)
    .find(({ former }) => former.some(({ name }) => name.toLowerCase() === repository.toLowerCase()))
  return {
    id: source.id,
    enabled: source.enabled,
    provider,
    health: judgeHealth({ ...newest, enabled: source.enabled, provider, pausesAfter, now }),
    lastDeliveryAt: newest.lastDeliveryAt,
    newestRefusal: newest.newestRefusal,
    connection: connection ? judgeConnection(connection, proof ?? null, provider) : null,
    standing,
    unread: unread[0] ? { count: unread.length, newestId: unread[0].id } : null,
    renamedTo: renamed?.current.name ?? null,
  }
}
