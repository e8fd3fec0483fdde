import type { CheckRun, ForgeAnswer, ForgeConnection } from '#adapters/forges'
import { sha256 } from '#platform/crypto'
import type { RunStanding } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { type CheckedRun, describeCheck } from '../rules/index.ts'
import { keepCheckId, type ReportBefore } from '../store/run-reports.ts'
import type { CheckTeller, FoundReport } from './find-report.ts'
import { pageOf } from './page-of.ts'

export interface DescribedCheck {
  readonly check: CheckRun
  /** Of what the check says, for who compares it with what was told. */
  readonly digest: string
}

export async function describeAsCheck(
  means: Means,
  { repository, place }: FoundReport,
  run: RunStanding,
  marks?: CheckedRun['marks'],
): Promise<DescribedCheck> {
  const { id, pipeline, scope } = run
  const url = pageOf(means, id)
  const steps = await means.runs.listSteps(means.database.kysely, id)
  const text = describeCheck({ run, pipeline, scope, steps, url, marks })
  const { commitSha, context: name } = place
  const check = { repository, commitSha, name, externalId: id, detailsUrl: url, ...text }
  return { check, digest: sha256(text.summary).toString('hex').slice(0, 16) }
}

/** Makes the check of a run, or changes it. Where a call that made one may have been cut, it is looked for first. */
export async function tellCheck(
  means: Means,
  found: FoundReport,
  { teller, check, before }: { readonly teller: CheckTeller; readonly check: CheckRun; readonly before: ReportBefore },
  ends: AbortSignal,
): Promise<ForgeAnswer<null>> {
  const { checks } = teller
  // Kept outside: the call is repeated where a token was refused.
  let { checkId } = before
  return await callForChecks(means, found, ends, async (connection) => {
    if (checkId === null && before.creating) {
      const there = await checks.findId(connection, check)
      if (there.outcome === 'failed') return there
      if (there.outcome === 'found') checkId = await keep(means, check, there.value)
    }
    if (checkId !== null) return await checks.update(connection, checkId, check)
    const made = await checks.create(connection, check)
    if (made.outcome !== 'found') return made
    means.failPoints.hit('reports.after_check')
    checkId = await keep(means, check, made.value)
    return { outcome: 'found', value: null }
  })
}

async function keep(means: Means, { externalId }: CheckRun, checkId: string): Promise<string> {
  await keepCheckId(means.database.kysely, externalId, checkId)
  return checkId
}

export function callForChecks<T>(
  means: Means,
  { source, baseUrl, repository }: Pick<FoundReport, 'source' | 'baseUrl' | 'repository'>,
  ends: AbortSignal,
  work: (connection: ForgeConnection) => Promise<ForgeAnswer<T>>,
): Promise<ForgeAnswer<T>> {
  const { teamPath, checkoutCredentialRef: ref } = source
  const wish = { ref, teamPath, repository, uses: ['checks'], baseUrl } as const
  return means.gitApps.call(wish, ends, (token) => work({ baseUrl, token, signal: ends }))
}
