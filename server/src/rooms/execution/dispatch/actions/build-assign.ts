import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { findAddressFault } from '@signalbox/contracts/repository'
import { type Assign, AssignSchema } from '@signalbox/contracts/runner'
import { taskVariables } from '@signalbox/pipeline/facts'
import type { GraphTask } from '@signalbox/pipeline/graph'
import { resolveEnvironment } from '@signalbox/pipeline/outputs'
import { mayFollowLoss } from '@signalbox/pipeline/status'
import { addressOfPages } from '#platform/config'
import type { RunInFlight } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import type { NewAssignment } from '../rules/assignment.ts'
import { checkoutOptionsOf } from '../rules/checkout-options.ts'
import { containerOf, registryUseOf } from '../rules/container.ts'
import { findTask } from '../rules/find-task.ts'
import { placeOf } from '../rules/placement.ts'
import { hasBegun } from '../rules/shared-workspace.ts'
import { findProtection } from './find-refusal.ts'
import { type Impossible, readCheckout, readRegistryLogins, readSecrets } from './read-credentials.ts'

type ScriptTask = Extract<GraphTask, { kind: 'run' }>

function scriptTask(task: GraphTask): ScriptTask | undefined {
  switch (task.kind) {
    case 'run':
      return task
    case 'pipeline':
    case 'approval':
      return undefined
  }
}

/**
 * The message that gives an attempt to its runner. The environment comes from these, the later ones win: the profile, the
 * run's variables, the pipeline's secrets, the task's `env` with its matrix values. Variables that describe the run win over
 * all. Secrets are read for this attempt alone and kept nowhere; an untrusted run gets none. The answer is a sentence when
 * something is missing or the scope of an untrusted run is protected; the attempt then fails with it.
 */
export async function buildAssign(
  means: Means,
  run: RunInFlight,
  assignment: NewAssignment,
): Promise<Assign | Impossible> {
  const found = findTask(run.graph, assignment.step, assignment.task)
  if (!found || !run.state) return { impossible: `The pipeline has no task ${assignment.step}/${assignment.task}.` }
  const { step } = found
  const task = scriptTask(found.task)
  if (!task) return { impossible: `No runner can run the task ${assignment.step}/${assignment.task}.` }
  const db = means.database.kysely
  const place = placeOf(run, assignment.step, assignment.task)
  // Asked for each attempt: a run may wait for people for days, and its scope be protected meanwhile.
  const refusal = await findProtection(means, db, run, place.scope)
  if (refusal !== undefined) return { impossible: refusal }
  const environment = resolveEnvironment(task.env, run.state)
  const secrets = await readSecrets(means, db, run, place.scope)
  if ('impossible' in secrets) return secrets
  // Asked for each attempt: a rerun repeats an address of before, and the operator may have closed the folder since.
  const fault = findAddressFault(run.checkout?.cloneUrl, means.config.localRepositories)
  if (task.checkout && fault !== undefined) {
    return { impossible: `The repository cannot be checked out: its address ${fault}.` }
  }
  const wanted = checkoutOptionsOf(task.checkout, run.pullRequest, run.context.event)
  if ('impossible' in wanted) return wanted
  if (task.checkout && run.repository !== null && !run.checkout) return { impossible: nowhere(run.repository) }
  const checkout = task.checkout ? await readCheckout(means, run) : undefined
  if (checkout && 'impossible' in checkout) return checkout
  const use = registryUseOf(run, step, task)
  if ('impossible' in use) return use
  const logins = await readRegistryLogins(means, db, run, { ...use, scope: place.scope })
  if ('impossible' in logins) return logins
  const files = await giveFiles(means, run, assignment, task)
  if ('impossible' in files) return files
  const sharedWorkspace = step.sharedWorkspace ? await giveWorkspace(means, assignment) : undefined
  const container = containerOf(run, { step, task }, place, logins)
  const hidden = [
    ...Object.values(secrets.values),
    ...Object.values(run.secretVariables),
    ...environment.sensitiveValues,
  ]
  return create(AssignSchema, {
    fence: BigInt(assignment.fence),
    attemptId: assignment.attemptId,
    runId: run.id,
    pipeline: run.pipelineIdentifier,
    step: assignment.step,
    task: assignment.task,
    attempt: assignment.number,
    script: task.script,
    environment: {
      ...place.environment,
      ...run.context.variables,
      ...run.secretVariables,
      ...secrets.values,
      ...environment.values,
      ...taskVariables({ ...run.context.run, url: `${addressOfPages(means.config)}/v1/runs/${run.id}` }),
    },
    maskedValues: [...hidden, ...logins.map(({ password }) => password)].filter((value) => value !== ''),
    outputs: Object.entries(task.outputs).map(([name, { sensitive }]) => ({ name, sensitive })),
    timeoutSeconds: task.timeoutMs === null ? 0 : Math.max(1, Math.ceil(task.timeoutMs / 1000)),
    graceSeconds: means.config.cancelGraceSeconds,
    scope: place.scope,
    stopWhenLeaseEnds: mayFollowLoss(task, assignment.number - countHandedBack(run, assignment)),
    ...(sharedWorkspace ? { sharedWorkspace } : {}),
    ...(checkout ? { checkout: { ...checkout, ...wanted.options } } : { noCheckout: true }),
    ...(container ? { container } : {}),
    ...files.messages,
  })
}

/** Noted before the runner hears of it, so that it is told when the step is over, whatever becomes of this process. */
async function giveWorkspace(
  { database, runs }: Means,
  assignment: NewAssignment,
): Promise<{ readonly begun: boolean }> {
  const db = database.kysely
  await runs.progress.noteWorkspace(db, assignment)
  const [place] = await runs.progress.findSharedPlaces(db, [assignment])
  return { begun: hasBegun(place, assignment.task) }
}

/** An empty folder would be green with the wrong files. */
function nowhere(repository: string): string {
  return `The repository ${repository} cannot be checked out: its clone address is unknown. Have the event name repository.clone_url, or write checkout: false.`
}

type FileMessages = Pick<MessageInitShape<typeof AssignSchema>, 'transfer' | 'downloads' | 'upload' | 'cache'>

/** The files that the attempt uploads, finds in its workspace, and caches. */
async function giveFiles(
  means: Means,
  run: RunInFlight,
  assignment: NewAssignment,
  task: GraphTask,
): Promise<{ readonly messages: FileMessages } | Impossible> {
  const { teamPath, untrusted, repository, pullRequest } = run
  const { attemptId, runId, step } = assignment
  const place = { attemptId, runId, teamPath, step, task: assignment.task, untrusted, repository, pullRequest }
  const files = await means.artifacts.giveAttempt(place, task)
  if (!files) return { messages: {} }
  const { missing, transfer, downloads } = files
  if (missing.length > 0)
    return { impossible: `The task needs the artifacts of ${missing.join(', ')}, and there are none.` }
  const messages: FileMessages = { transfer, downloads: [...downloads] }
  const { artifacts: upload, cache } = task
  if (upload) {
    const { name, paths, when, retentionMs } = upload
    messages.upload = { name, paths: [...paths], when, retentionSeconds: secondsOf(retentionMs) }
  }
  if (cache) {
    const { key, files: hashed, paths, fallback } = cache
    messages.cache = { key, files: [...hashed], paths: [...paths], fallback: [...fallback] }
  }
  return { messages }
}

/** Of the attempts before this one. */
function countHandedBack({ state }: RunInFlight, { step, task }: NewAssignment): number {
  const tasks = state?.steps.find(({ name }) => name === step)?.tasks
  return tasks?.find(({ name }) => name === task)?.handedBack ?? 0
}

function secondsOf(ms: number | null): bigint {
  return BigInt(ms === null ? 0 : Math.max(1, Math.ceil(ms / 1000)))
}
