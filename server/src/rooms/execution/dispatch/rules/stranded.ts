import type { Judgement, RunnerState } from '#rooms/catalog/runners'

/** How a runner is judged that has the workspace of a step. */
export interface StrandedBy {
  /** A runner that was silent since then is lost; undefined: no runner is lost yet. */
  readonly lostBefore: Date | undefined
  /** Whether the runner could ever take the task, in any state of the runner. */
  readonly able: (runner: RunnerState) => Judgement
}

/**
 * Why the next task of a step will never find the workspace that its tasks share, as a sentence; undefined: it may still.
 * A disabled runner may be enabled again.
 */
export function whyStranded(step: string, runner: RunnerState | undefined, by: StrandedBy): string | undefined {
  const what = describe(runner, by)
  if (what === undefined) return undefined
  return `The workspace that the tasks of step ${step} share is on ${what}. The files of earlier tasks are out of reach. Run the step again; tasks that hand files on as artifacts, without \`workspace: shared\`, need no particular runner.`
}

function describe(runner: RunnerState | undefined, { lostBefore, able }: StrandedBy): string | undefined {
  if (!runner) return 'a runner that was removed'
  const { name, lastSeenAt, reachable } = runner
  const { eligible, verdicts } = able(runner)
  if (eligible.length === 0) {
    const [verdict] = verdicts
    return `runner ${name}, which cannot take this task: ${verdict?.verdict ?? 'it does not serve its scope'}`.replace(
      /\.$/,
      '',
    )
  }
  if (runner.draining) return `runner ${name}, which is draining and takes nothing new`
  if (reachable || lostBefore === undefined || (lastSeenAt && lastSeenAt >= lostBefore)) return undefined
  return `runner ${name}, which was last heard of at ${lastSeenAt?.toISOString() ?? 'no time'}`
}
