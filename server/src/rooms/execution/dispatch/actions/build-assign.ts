import { create } from '@bufbuild/protobuf'
import { type Assign, AssignSchema } from '@signalbox/contracts/runner'
import { resolveEnvironment } from '@signalbox/pipeline/outputs'
import { mayFollowLoss } from '@signalbox/pipeline/status'
import type { Queryable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { RunInFlight } from '#rooms/execution/runs'
import type { Secrets } from '#rooms/foundation/secrets'
import { findUnsafeCarrier } from '../rules/credential-carrier.ts'
import type { Given } from '../rules/given.ts'

interface AssignNeeds {
  readonly secrets: Pick<Secrets, 'read' | 'readForRun' | 'markUsed'>
}

/** Used where the stored credential is a bare token; what GitHub and GitLab take. */
const TOKEN_USERNAME = 'x-access-token'

/**
 * The message that gives an attempt to its runner. Environment, from weak to strong: the profile's, the run's
 * variables, the pipeline's secrets, the task's own `env`. Secrets are read here, for this attempt alone, and are kept
 * nowhere; an untrusted run gets none. A sentence where something that the task needs cannot be had: the attempt fails with it.
 */
export async function buildAssign(
  kit: Kit,
  needs: AssignNeeds,
  run: RunInFlight,
  given: Given,
): Promise<Assign | { readonly impossible: string }> {
  const step = run.graph.steps.find((candidate) => candidate.name === given.step)
  const task = step?.tasks.find((candidate) => candidate.name === given.task)
  if (!task || !run.state) return { impossible: `The pipeline has no task ${given.step}/${given.task}.` }
  if (task.kind !== 'run') return { impossible: `The task ${given.step}/${given.task} is none for a runner.` }
  const db = kit.database.kysely
  const environment = resolveEnvironment(task.env, run.state)
  const secrets = await readSecrets(needs, db, run)
  if ('impossible' in secrets) return secrets
  const checkout = task.checkout ? await readCheckout(needs, db, run) : undefined
  if (checkout && 'impossible' in checkout) return checkout
  return create(AssignSchema, {
    fence: BigInt(given.fence),
    attemptId: given.attemptId,
    runId: run.id,
    pipeline: run.pipelineIdentifier,
    step: given.step,
    task: given.task,
    attempt: given.number,
    script: task.script,
    environment: { ...run.profileEnvironment, ...run.context.variables, ...secrets.values, ...environment.values },
    maskedValues: [...Object.values(secrets.values), ...environment.sensitiveValues].filter((value) => value !== ''),
    outputs: Object.entries(task.outputs).map(([name, { sensitive }]) => ({ name, sensitive })),
    timeoutSeconds: task.timeoutMs === null ? 0 : Math.max(1, Math.ceil(task.timeoutMs / 1000)),
    graceSeconds: kit.config.cancelGraceSeconds,
    scope: run.scope,
    stopWhenLeaseEnds: mayFollowLoss(task, given.number),
    ...(checkout ? { checkout } : {}),
  })
}

async function readSecrets(
  needs: AssignNeeds,
  db: Queryable,
  run: RunInFlight,
): Promise<{ readonly values: Readonly<Record<string, string>> } | { readonly impossible: string }> {
  // Their names are simply absent: whoever wrote the code could print what is there.
  if (run.untrusted) return { values: {} }
  const wanted = Object.entries(run.graph.secrets).map(([name, path]) => ({ name, path }))
  if (wanted.length === 0) return { values: {} }
  const read = await needs.secrets.readForRun(db, wanted, run.teamPath, run.scope.slice(run.scope.lastIndexOf('/') + 1))
  return 'unusable' in read ? { impossible: read.unusable } : { values: read.values }
}

async function readCheckout(
  needs: AssignNeeds,
  db: Queryable,
  run: RunInFlight,
): Promise<
  | { cloneUrl: string; ref: string; commitSha: string; username: string; password: string }
  | { readonly impossible: string }
  | undefined
> {
  if (!run.checkout) return undefined
  const { cloneUrl, ref, commitSha, credentialRef } = run.checkout
  if (credentialRef === null) return { cloneUrl, ref, commitSha, username: '', password: '' }
  const unsafe = findUnsafeCarrier(cloneUrl)
  if (unsafe) return { impossible: `The repository cannot be checked out: ${unsafe}` }
  const read = await needs.secrets.read(db, credentialRef, run.teamPath)
  if ('unusable' in read) return { impossible: `The repository cannot be checked out: ${read.unusable}` }
  needs.secrets.markUsed(read)
  const value = read.values[0] ?? ''
  const colon = value.indexOf(':')
  return colon === -1
    ? { cloneUrl, ref, commitSha, username: TOKEN_USERNAME, password: value }
    : { cloneUrl, ref, commitSha, username: value.slice(0, colon), password: value.slice(colon + 1) }
}
