import type { CheckRerun } from '#adapters/forges'
import { execute } from '#platform/database'
import { Problem } from '#platform/problems'
import type { Means } from '../means.ts'
import { claimRerun, noteRerun } from '../store/asked-reruns.ts'
import { queueingReports, type RerunJob } from '../store/report-jobs.ts'
import { listChecksOf } from '../store/run-reports.ts'
import { withinTime } from './within-time.ts'

/** Cannot be answered now: the queue asks again. */
export class ProviderNotAsked extends Error {
  override readonly name = 'ProviderNotAsked'
  readonly code = 'reports.provider_not_asked'
}

const REPEATED: ReadonlySet<string> = new Set(['failure', 'timed_out', 'canceled'])

/**
 * Somebody pressed "rerun" at the provider: the run of that check runs again, or all runs of the commit that failed. Only
 * for who may write to the repository, which the provider is asked. A run is repeated on behalf of whom it ran for, with
 * the rights that they have now. Each delivery counts once.
 */
export async function hearRerun(means: Means, { deliveryRecordId }: RerunJob, signal: AbortSignal): Promise<void> {
  const kept = await means.sources.readKept(deliveryRecordId)
  const checks = kept && means.forges.find(kept.source.provider)?.checks
  const asked = kept && checks?.readRerun(kept.eventType, kept.payload)
  if (!kept || !asked) return
  const { source, repository, sender } = kept
  const place = { sourceId: source.id, repository, commitSha: asked.commitSha }
  const runIds = await chooseRuns(means, place, asked)
  const ignore = (reason: string): void =>
    means.log.info({ delivery: deliveryRecordId, sender: sender?.login, reason }, 'a wish to rerun is not followed')
  if (runIds.length === 0) return ignore('No run of ours has such a check.')
  const find = means.forges.find(source.provider)?.repositories?.findPermission
  const { baseUrl, teamPath, checkoutCredentialRef: ref } = source
  if (!find || baseUrl === undefined || sender === null) return ignore('Nobody can be asked whether they may.')
  const wish = { ref, teamPath, repository, uses: ['permission'], baseUrl } as const
  const permission = await withinTime(means, signal, (ends) =>
    means.gitApps.call(wish, ends, (token) => find({ baseUrl, token, signal: ends }, repository, sender)),
  )
  if (permission.outcome === 'failed' && permission.retry) throw new ProviderNotAsked(permission.reason)
  if (permission.outcome !== 'found' || !permission.value.mayWrite)
    return ignore('They may not write to the repository.')
  const asker = await identify(means, { provider: source.provider, baseUrl, accountId: sender.id })
  for (const runId of runIds) {
    const refusal = await rerun(means, { deliveryRecordId, runId, asker })
    if (refusal !== undefined) ignore(refusal)
  }
}

/** Only runs whose check was told for this commit, through this source: an id from outside proves nothing. */
async function chooseRuns(
  means: Means,
  place: { readonly sourceId: string; readonly repository: string; readonly commitSha: string },
  { externalId }: CheckRerun,
): Promise<readonly string[]> {
  const db = means.database.kysely
  const checks = await listChecksOf(db, place)
  if (externalId !== null) return checks.flatMap(({ runId }) => (runId === externalId ? [runId] : []))
  const standings = await Promise.all(checks.map(({ runId }) => means.runs.findStanding(db, runId)))
  return standings.flatMap((run) => (run && REPEATED.has(run.status) ? [run.id] : []))
}

type Asker = Parameters<Means['runs']['recordAskers']>[2]

/** With the user to whom the account is linked now: unlinked later, it would name nobody. Undefined: nobody can be named. */
async function identify(
  means: Means,
  { accountId, ...provider }: Omit<Asker, 'accountId'> & { readonly accountId: string | null },
): Promise<Asker | undefined> {
  if (accountId === null) return undefined
  const account = { ...provider, accountId }
  return { ...account, userId: await means.identities.findGitUser(means.database.kysely, account) }
}

interface Rerun extends RerunJob {
  readonly runId: string
  /** Who pressed the button: they must not approve what they started. */
  readonly asker: Asker | undefined
}

/** The reason why it may not run again; undefined: it does, or did so before. */
async function rerun(means: Means, { deliveryRecordId, runId, asker }: Rerun): Promise<string | undefined> {
  const run = await means.runs.findStanding(means.database.kysely, runId)
  if (!run) return 'The run is gone.'
  const { initiatorKind: kind, initiatorId } = run
  const caller =
    kind === 'user' || kind === 'service_account' ? await means.access.subject(kind, initiatorId) : undefined
  if (!caller) return 'The owner of the rule that started the run does not exist any more.'
  const origin = { caller, address: '', requestId: deliveryRecordId }
  try {
    const repeat = await means.runs.prepareRerun(origin, runId, { mode: 'whole' })
    const work = async (tx: Parameters<typeof repeat>[0]): Promise<boolean> => {
      if (!(await claimRerun(tx, { deliveryRecordId, runId, at: means.clock.now() }))) return false
      const rerunId = await repeat(tx)
      await noteRerun(tx, { deliveryRecordId, runId, rerunId })
      if (asker) await means.runs.recordAskers(tx, [rerunId], asker)
      await execute(tx, queueingReports(means, [rerunId]))
      return true
    }
    await means.database.transaction(work, { afterCommit: (queued) => (queued ? means.onRunsQueued() : undefined) })
    return undefined
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return error.message
    throw error
  }
}
