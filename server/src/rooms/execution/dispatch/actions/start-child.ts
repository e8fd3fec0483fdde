import { findUndeclaredVariables } from '@signalbox/pipeline/facts'
import { checksOut } from '@signalbox/pipeline/graph'
import { resolveEnvironment } from '@signalbox/pipeline/outputs'
import type { RunEvent, RunState } from '@signalbox/pipeline/status'
import type { Tx } from '#platform/database'
import type { NewRun, RunInFlight } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { childOf } from '../rules/child-run.ts'
import type { ChildWish, PipelineTask, RoundLedger } from '../rules/round-ledger.ts'
import { type ChildPlan, findChildRefusal } from './find-refusal.ts'

/** A pipeline that runs itself ends here. */
const MOST_ABOVE = 5
/** One with many tasks that do the same ends here, before nobody else's runs are served any more. */
const MOST_BELOW = 1000

interface Moving {
  readonly ledger: RoundLedger
  readonly advance: (run: RunInFlight, events: readonly RunEvent[]) => unknown
  readonly at: Date
}

/**
 * Queues the runs that tasks want, in the transaction of the round: an attempt and its run are stored together or not
 * at all. An attempt whose run cannot be had fails; what follows from that may want runs again. The loop ends, because
 * every task has a last attempt.
 */
export async function startChildren(means: Means, tx: Tx, moving: Moving): Promise<void> {
  const { ledger } = moving
  while (ledger.children.length > 0) {
    const wanted = Map.groupBy(ledger.children.splice(0), ({ run }) => run)
    for (const [run, wishes] of wanted) {
      const { below, groups } = await means.runs.progress.readFamily(tx, run.id, MOST_BELOW)
      const family: Family = { left: MOST_BELOW - below, groups, plans: new Map(), queued: [] }
      const events: RunEvent[] = []
      for (const child of wishes) events.push(await startChild(means, tx, { ...moving, family }, child))
      await means.runs.queue(tx, family.queued)
      moving.advance(run, events)
    }
  }
}

/** The children that the tasks of one run start in one round. */
interface Family {
  /** Runs that may still come below the topmost one. */
  readonly left: number
  readonly groups: NonNullable<NewRun['groupsAbove']>
  /** By directive: instances of a matrix want the same. */
  readonly plans: Map<string, ChildPlan | { readonly problem: string }>
  readonly queued: NewRun[]
}

async function startChild(
  means: Means,
  tx: Tx,
  { ledger, at, family }: Moving & { readonly family: Family },
  child: ChildWish,
): Promise<RunEvent> {
  const { run, wish } = child
  const { step, task, number: attempt } = wish
  const key = { step, task, attempt }
  const state = ledger.stateOf(run)
  const begun = state && (await queueChild(means, tx, child, { state, family }))
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
  means: Means,
  tx: Tx,
  { run, wish, scope: wanted, task }: ChildWish,
  { state, family }: { readonly state: RunState; readonly family: Family },
): Promise<{ readonly runId: string; readonly timeoutMs: number | null } | { readonly problem: string }> {
  const directive = `steps.${wish.step}.tasks.${task.template}`
  if (run.depth >= MOST_ABOVE) {
    return {
      problem: `${directive}.pipeline: ${MOST_ABOVE} runs are above this one, and no more may be above another.`,
    }
  }
  if (family.queued.length >= family.left) {
    return {
      problem: `${directive}.pipeline: ${MOST_BELOW} runs are below the topmost one, and no more may be below one.`,
    }
  }
  const known = family.plans.get(directive)
  const plan = known ?? (await planChild(means, tx, run, { task, directive, scope: wanted }))
  family.plans.set(directive, plan)
  if ('problem' in plan) return plan
  const { pipeline, scope } = plan
  const inputs = resolveEnvironment(task.inputs, state)
  const [stray] = findUndeclaredVariables(pipeline, Object.keys(inputs.values))
  if (stray) return { problem: `${directive}.inputs.${stray.name}: ${stray.message}.` }
  const runId = means.ids.next()
  family.queued.push({ id: runId, groupsAbove: family.groups, ...childOf(run, { pipeline, scope, wish, inputs }) })
  return { runId, timeoutMs: task.timeoutMs }
}

/** The refusal of a child that checks out while its topmost run names no repository. */
function nowhere(identifier: string): string {
  return (
    `${identifier} checks out, but the topmost run names no repository. Start that run with repository and ref, ` +
    `or with clone_url and commit_sha, or write checkout: false in ${identifier}.`
  )
}

async function planChild(
  means: Means,
  tx: Tx,
  run: RunInFlight,
  { task, directive, scope }: { readonly task: PipelineTask; readonly directive: string; readonly scope: string },
): Promise<ChildPlan | { readonly problem: string }> {
  const pipeline = await means.pipelines.resolveForRun(tx, task.pipeline)
  if (!pipeline)
    return { problem: `${directive}.pipeline: there is no pipeline ${task.pipeline}, or its profile is gone.` }
  if (checksOut(pipeline.graph) && run.checkout === null && (run.repository !== null || !checksOut(run.graph))) {
    return { problem: `${directive}.pipeline: ${nowhere(task.pipeline)}` }
  }
  const plan = { pipeline, scope, directive: `${directive}.pipeline` }
  const refusal = await findChildRefusal(means, tx, run, plan)
  return refusal === undefined ? plan : { problem: refusal }
}
