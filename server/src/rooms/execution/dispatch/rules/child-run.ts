import type { Environment } from '@signalbox/pipeline/outputs'
import type { NewRun, RunInFlight } from '#rooms/execution/runs'
import type { Wish } from './wish.ts'

interface Child {
  readonly pipeline: NewRun['pipeline']
  readonly scope: string
  readonly wish: Wish
  readonly inputs: Environment
}

/**
 * The child run that an attempt starts: of the same event and commit, for the same initiator, no more trusted than the
 * parent. An input that contains a sensitive output is hidden.
 */
export function childOf(run: RunInFlight, { pipeline, scope, wish, inputs }: Child): NewRun {
  const isSecret = (value: string): boolean => inputs.sensitiveValues.some((secret) => value.includes(secret))
  const entries = Object.entries(inputs.values)
  return {
    pipeline,
    scope,
    cause: 'pipeline',
    initiator: run.initiator,
    parent: { runId: run.id, step: wish.step, task: wish.task, attempt: wish.number },
    depth: run.depth + 1,
    variables: Object.fromEntries(entries.filter(([, value]) => !isSecret(value))),
    secretVariables: Object.fromEntries(entries.filter(([, value]) => isSecret(value))),
    event: run.context.event ?? undefined,
    untrusted: run.untrusted,
    // The child uses the caches of the pull request, as the parent does.
    pullRequest: run.pullRequest ?? undefined,
    repository: run.repository ?? undefined,
    cloneUrl: run.checkout?.cloneUrl,
    ref: run.checkout?.ref === '' ? undefined : run.checkout?.ref,
    branch: run.branch ?? undefined,
    // Whoever hears of the parent hears of the child.
    runTeamPath: run.runTeamPath ?? undefined,
    commitSha: run.commitSha ?? undefined,
    checkoutCredentialRef: run.checkout?.credentialRef ?? undefined,
  }
}
