import type { ApprovalRequest } from '@signalbox/contracts/runs'
import {
  counted,
  type OutlookTask,
  type RunOutlook,
  runEvidence,
  spell,
  type Telling,
  taskEvidence,
} from './outlook.ts'
import { tellEmergency, tellRemedy } from './tell-queue.ts'

/** Of the tasks that are told one by one; more are counted. */
const MOST_TASKS = 10
/** Fewer seconds than usual are nobody's concern. */
const LONGER_TIMES = 2
const LONGER_BY_MS = 10_000

/** Of a run that has begun and not ended. */
export function tellProgress(run: RunOutlook, telling: Telling): void {
  if (run.cancelRequestedAt) tellCancel(run, run.cancelRequestedAt, telling)
  if (run.emergency) tellEmergency(run, telling)
  for (const request of run.requests) if (request.status === 'waiting') tellRequest(run, request, telling)
  const busy = run.tasks.filter((task) => isBusy(task))
  for (const task of busy.slice(0, MOST_TASKS)) tellTask(run, task, telling)
  const evidence = [runEvidence(run.id)]
  if (busy.length > MOST_TASKS) {
    const sentence = `${counted(busy.length - MOST_TASKS, 'further task')} of it run or wait.`
    telling.findings.push({ code: 'run.more_tasks', sentence, evidence })
  }
  if (telling.findings.length === 0) {
    const sentence = 'Nothing of the run is in hand or waits: the dispatcher is about to move it.'
    telling.findings.push({ code: 'run.between', sentence, evidence })
  }
  if (run.deadlineAt) {
    const sentence = `The run ends as timed_out at ${run.deadlineAt.toISOString()} where it has not ended before.`
    telling.findings.push({ code: 'run.deadline', sentence, evidence })
  }
}

function tellCancel(run: RunOutlook, since: Date, { findings, quotes }: Telling): void {
  findings.push({
    code: 'run.being_canceled',
    sentence: `The end of the run was asked for at ${since.toISOString()}; it ends once its runners have said so.`,
    evidence: [runEvidence(run.id)],
  })
  if (run.cancelReason !== null) quotes.push({ about: 'run.being_canceled', text: run.cancelReason })
}

/** The refusal names approvers and steps alone: both are ours. */
function tellRequest(run: RunOutlook, request: ApprovalRequest, { findings, whatToDo }: Telling): void {
  const { step, required, decisions, approvers, deadline_at, obstacle, refusal } = request
  const given = decisions.filter(({ decision, lapsed }) => decision === 'approve' && lapsed === null).length
  const until = deadline_at === null ? '' : ` The time is over at ${deadline_at}.`
  const evidence = [{ kind: 'approval', id: step, run_id: run.id } as const]
  findings.push({
    code: 'run.waits_for_people',
    sentence: `The step ${step} waits for people: ${given} of ${required} have approved.${until}`,
    evidence,
  })
  if (obstacle !== null) findings.push({ code: 'run.cannot_be_approved', sentence: obstacle, evidence })
  const where = `POST /v1/runs/${run.id}/approvals/${step}`
  whatToDo.push({
    code: refusal === null ? 'do.decide' : 'do.ask_approvers',
    sentence: refusal === null ? `You may decide: ${where}.` : `Ask ${approvers.join(', ')}. ${refusal}`,
    evidence,
  })
}

function isBusy({ status, retryAt, attempt }: OutlookTask): boolean {
  if (status === 'ready' || status === 'running') return attempt !== undefined || retryAt !== null
  return retryAt !== null
}

function tellTask(run: RunOutlook, task: OutlookTask, telling: Telling): void {
  const { attempt, retryAt } = task
  if (attempt?.status === 'child') return tellChild(run, task, telling)
  if (attempt?.status === 'waiting') return tellWaiting(run, task, telling)
  if (attempt?.status === 'leased') return tellLeased(run, task, telling)
  if (retryAt) {
    const sentence = `The task ${nameOf(task)} is tried again at ${retryAt.toISOString()}.`
    telling.findings.push({ code: 'run.task_retries', sentence, evidence: [taskEvidence(run, task)] })
  }
}

function tellChild(run: RunOutlook, task: OutlookTask, { findings, whatToDo }: Telling): void {
  const child = task.attempt?.child
  const isSeen = child !== undefined && child !== 'hidden'
  const which = isSeen ? `for its run ${child}` : 'for a run of another pipeline that you may not see'
  const evidence = [taskEvidence(run, task), ...(isSeen ? [runEvidence(child)] : [])]
  findings.push({
    code: 'run.task_waits_for_run',
    sentence: `The task ${nameOf(task)} waits ${which}.`,
    evidence,
  })
  if (!isSeen) return
  const sentence = `Ask why that run waits: GET /v1/explain/run?run_id=${child}.`
  whatToDo.push({ code: 'do.explain_child', sentence, evidence: [runEvidence(child)] })
}

function tellWaiting(run: RunOutlook, task: OutlookTask, telling: Telling): void {
  const { lack } = task
  const why = lack?.reason ?? 'A runner can take it; it is about to be assigned.'
  const sentence = `The task ${nameOf(task)} waits for a runner. ${why}`
  telling.findings.push({ code: 'run.task_waits_for_runner', sentence, evidence: [taskEvidence(run, task)] })
  if (lack) tellRemedy(run, lack, telling)
}

function tellLeased(run: RunOutlook, task: OutlookTask, { findings, quotes, whatToDo }: Telling): void {
  const { attempt, usualMs } = task
  const runner = attempt?.runnerId === undefined ? [] : [{ kind: 'runner', id: attempt.runnerId } as const]
  const evidence = [taskEvidence(run, task), ...runner]
  const since = attempt?.startedAt
  if (!since) {
    const at = attempt?.leasedAt ? ` since ${attempt.leasedAt.toISOString()}` : ''
    const sentence = `A runner has the task ${nameOf(task)}${at} and has not begun it yet.`
    findings.push({ code: 'run.task_starts', sentence, evidence })
    // The runner says it, and names itself.
    if (attempt?.reason && attempt.runnerId !== undefined) quotes.push({ about: nameOf(task), text: attempt.reason })
    return
  }
  const tookMs = run.now.getTime() - since.getTime()
  const usual = usualMs === undefined ? '' : `; it usually takes ${spell(usualMs)}`
  const sentence = `The task ${nameOf(task)} runs since ${since.toISOString()}, for ${spell(tookMs)}${usual}.`
  findings.push({ code: 'run.task_runs', sentence, evidence })
  if (usualMs === undefined || tookMs < usualMs * LONGER_TIMES || tookMs - usualMs < LONGER_BY_MS) return
  whatToDo.push({
    code: 'do.read_log',
    sentence: `The task ${nameOf(task)} takes much longer than usual: read its newest lines at GET /v1/runs/${run.id}/logs.`,
    evidence,
  })
}

function nameOf({ step, task }: OutlookTask): string {
  return `${step}/${task}`
}
