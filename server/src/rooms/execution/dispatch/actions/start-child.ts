import type { GraphTask } from '@signalbox/pipeline/graph'
import { resolveEnvironment } from '@signalbox/pipeline/outputs'
import type { RunEvent, RunState } from '@signalbox/pipeline/status'
import type { Tx } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { RunInFlight, Runs } from '#rooms/execution/runs'
import { childOf } from '../rules/child-run.ts'
import { findTask } from '../rules/find-task.ts'
import type { ChildWish, RoundLedger } from '../rules/round-ledger.ts'

export interface ChildNeeds {
  readonly pipelines: Pick<Pipelines, 'resolveForRun'>
  readonly queue: Runs['queue']
  /** Why the initiator of a run may not have this child of it; undefined when they may. */
  readonly findChildRefusal: (tx: Tx, run: RunInFlight, child: ChildPlan) => Promise<string | undefined>
}

type ResolvedPipeline = NonNullable<Awaited<ReturnType<Pipelines['resolveForRun']>>>
type PipelineTask = Extract<GraphTask, { kind: 'pipeline' }>

export interface ChildPlan {
  readonly pipeline: ResolvedPipeline
  readonly scope: string
  /** The directive that names it. */
  readonly directive: string
}

/** A pipeline that runs itself ends here. */
const MOST_ABOVE = 5

interface Moving {
  readonly ledger: RoundLedger
  readonly advance: (run: RunInFlight, events: readonly RunEvent[]) => unknown
  readonly at: Date
}

/**
 * Queues the runs that tasks want, in the round's transaction: the attempt and its run are stored together or not at all.
 * What cannot be had fails the attempt, and what follows from that may want runs again. Ends, for each task has an end of
 * attempts.
 */
export async function startChildren(kit: Kit, needs: ChildNeeds, tx: Tx, moving: Moving): Promise<void> {
  const { ledger } = moving
  while (ledger.children.length > 0) {
    const wanted = Map.groupBy(ledger.children.splice(0), ({ run }) => run)
    for (const [run, wishes] of wanted) {
      const events: RunEvent[] = []
      for (const { wish } of wishes) events.push(await startChild(kit, needs, tx, moving, { run, wish }))
      moving.advance(run, events)
    }
  }
}

async function startChild(kit: Kit, needs: ChildNeeds, tx: Tx, moving: Moving, child: ChildWish): Promise<RunEvent> {
  const { ledger, at } = moving
  const { run, wish } = child
  const { step, task, number: attempt } = wish
  const key = { step, task, attempt }
  const state = ledger.stateOf(run)
  const begun = state && (await queueChild(kit, needs, tx, child, state))
  if (!begun || !wish.row) return { type: 'task_started', ...key }
  if ('problem' in begun) {
    const reason = begun.problem
    ledger.inserts.push({ ...wish.row, status: 'failure', reason, finished_at: at })
    return { type: 'task_finished', ...key, result: 'failure', reason }
  }
  const deadline = begun.timeoutMs === null ? undefined : new Date(at.getTime() + begun.timeoutMs)
  if (deadline) ledger.wakeAt.push(deadline)
  ledger.inserts.push({ ...wish.row, status: 'child', child_run_id: begun.runId, deadline_at: deadline })
  return { type: 'task_started', ...key }
}

async function queueChild(
  kit: Kit,
  needs: ChildNeeds,
  tx: Tx,
  { run, wish }: ChildWish,
  state: RunState,
): Promise<{ readonly runId: string; readonly timeoutMs: number | null } | { readonly problem: string }> {
  const found = findTask(run.graph, wish.step, wish.task)
  if (found?.task.kind !== 'pipeline') return { problem: `The pipeline has no task ${wish.step}/${wish.task}.` }
  const task: PipelineTask = found.task
  const directive = `steps.${wish.step}.tasks.${task.template}`
  if (run.depth >= MOST_ABOVE) {
    return {
      problem: `${directive}.pipeline: ${MOST_ABOVE} runs are above this one, and no more may be above another.`,
    }
  }
  const pipeline = await needs.pipelines.resolveForRun(tx, task.pipeline)
  if (!pipeline)
    return { problem: `${directive}.pipeline: there is no pipeline ${task.pipeline}, or its profile is gone.` }
  const inputs = resolveEnvironment(task.inputs, state)
  const stray = Object.keys(inputs.values).find((name) => !Object.hasOwn(pipeline.variables, name))
  if (stray !== undefined) {
    return { problem: `${directive}.inputs.${stray}: is not a variable of ${pipeline.identifier}.` }
  }
  const scope = found.step.scope ?? run.scope
  const refusal = await needs.findChildRefusal(tx, run, { pipeline, scope, directive: `${directive}.pipeline` })
  if (refusal !== undefined) return { problem: refusal }
  const runId = kit.ids.next()
  await needs.queue(tx, [{ id: runId, ...childOf(run, { pipeline, scope, wish, inputs }) }])
  return { runId, timeoutMs: task.timeoutMs }
}
