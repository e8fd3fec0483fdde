import type { RerunInput } from '@signalbox/contracts/runs'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { PipelineForRun } from '#rooms/catalog/pipelines'
import type { Means } from '../means.ts'
import type { DetailRow } from '../store/run-columns.ts'
import { wrong } from './authorize-run.ts'
import type { NewRun } from './queue-runs.ts'

interface Repetition {
  /** The run that is repeated. */
  readonly run: Pick<
    DetailRow,
    | 'pipeline_version_id'
    | 'repository'
    | 'ref'
    | 'clone_url'
    | 'commit_sha'
    | 'checkout_credential_ref'
    | 'sealed_variables'
  >
  /** The version that is to run. */
  readonly pipeline: Pick<PipelineForRun, 'versionId' | 'teamPath' | 'checksOut' | 'references'>
  readonly wish: NonNullable<RerunInput>
}

type Checkout = Pick<NewRun, 'cloneUrl' | 'commitSha' | 'checkoutCredentialRef'>

/** Nothing that a child could check out either: it gets the checkout of its parent. */
const NO_FILES: Checkout = {}

/**
 * What a rerun checks out: what the old run did. With another document or other variables the caller decides what is done
 * with all that the old run had, by rights that a token with limits may lack. So such a token takes over no work and no secret
 * variable, and a source within its limits reads the repository, as for a start by hand. Over the network: call it before the
 * transaction. Throws forbidden (403) and run.not_startable (400).
 */
export async function judgeRepetition(
  means: Pick<Means, 'above'>,
  caller: Caller,
  repetition: Repetition,
): Promise<Checkout> {
  const { run, pipeline, wish } = repetition
  const own: Checkout = {
    cloneUrl: run.clone_url ?? undefined,
    commitSha: run.commit_sha ?? undefined,
    checkoutCredentialRef: run.checkout_credential_ref ?? undefined,
  }
  if (!caller.token?.limits || isAsItWas(repetition)) return own
  if (wish.mode !== undefined && wish.mode !== 'whole') throw refused('Repeat it whole')
  if (Object.keys(run.sealed_variables).length > 0) throw refused('Let its owner repeat it')
  if (own.checkoutCredentialRef === undefined) return own
  if (!pipeline.checksOut) return NO_FILES
  const { repository, ref } = run
  if (repository === null || ref === null)
    throw wrong('repository', 'The run names no repository that can be looked up.')
  const found = await means.above.findCheckout(caller, { repository, ref, teamPath: pipeline.teamPath })
  if ('problem' in found) throw wrong(found.field, found.problem)
  return {
    cloneUrl: found.cloneUrl,
    commitSha: own.commitSha ?? found.commitSha,
    checkoutCredentialRef: found.checkoutCredentialRef ?? undefined,
  }
}

/**
 * A pipeline that the document starts is the one of today, which the caller may have changed. `authorizeRun` refuses such a
 * document to a token with limits; here nothing rests on that.
 */
function isAsItWas({ run, pipeline, wish }: Repetition): boolean {
  if (pipeline.references.some(({ kind }) => kind === 'pipeline')) return false
  return pipeline.versionId === run.pipeline_version_id && Object.keys(wish.variables ?? {}).length === 0
}

function refused(instead: string): Error {
  const what = 'A token with limits gives nothing that a run made or was given in secret to another document'
  return platformProblem('forbidden', `${what}, to another pipeline, or beside other variables. ${instead}.`)
}
