import type { SuccessOf } from '@signalbox/contracts/http/routes'
import type { planRoutes } from '@signalbox/contracts/plans/routes'
import { formatDuration } from '../../components/format-duration.ts'

export type Plan = SuccessOf<typeof planRoutes.getPlan>

/** What a plan does, in words: the `operationId` is for programs. */
const ACTION_WORDS: Readonly<Record<Plan['action'], string>> = {
  startRun: 'Start a run',
  rerunRun: 'Run again',
  cancelRun: 'Cancel a run',
  decideApproval: 'Decide an approval',
  createPipeline: 'Create a pipeline',
  replacePipeline: 'Change a pipeline',
  updateRunner: 'Change a runner',
  replaceOverride: 'Set an override',
  deleteOverride: 'Delete an override',
  createTrigger: 'Create a trigger',
  replaceTrigger: 'Change a trigger',
  updateTrigger: 'Change a trigger',
  deleteTrigger: 'Delete a trigger',
  replayDelivery: 'Replay a delivery',
  createSchedule: 'Create a schedule',
  replaceSchedule: 'Change a schedule',
  updateSchedule: 'Change a schedule',
  deleteSchedule: 'Delete a schedule',
  enableSchedule: 'Enable a schedule',
  disableSchedule: 'Disable a schedule',
  runSchedule: 'Run a schedule now',
}

/** The words of a newer control plane's action are its own. */
export function actionWords(action: string): string {
  return new Map<string, string>(Object.entries(ACTION_WORDS)).get(action) ?? action
}

/** The look of a status: that of other things where it means the same. */
export function lookOfPlan(status: Plan['status']): string {
  return status === 'waiting_for_person' ? 'held' : status
}

type Standing = Pick<Plan, 'status' | 'expires_at' | 'confirmation' | 'outcome'>

/** Whether somebody can still do something with it. */
export function isOpen({ status, expires_at }: Pick<Plan, 'status' | 'expires_at'>, now: Date): boolean {
  return (status === 'waiting' || status === 'waiting_for_person') && new Date(expires_at) > now
}

/** How a plan stands, in a sentence. What the server has not said yet is not said here either. */
export function standingOf(plan: Standing, now: Date): string {
  const left = new Date(plan.expires_at).getTime() - now.getTime()
  if ((plan.status === 'waiting' || plan.status === 'waiting_for_person') && left <= 0) {
    return 'Its time is over: nothing was done, and it cannot be carried out any more.'
  }
  switch (plan.status) {
    case 'waiting':
      return plan.confirmation === 'person'
        ? `Its planner has not confirmed it yet; then another person approves. ${formatDuration(left)} are left.`
        : `Its planner has not confirmed it yet. ${formatDuration(left)} are left.`
    case 'waiting_for_person':
      return `It waits for a person who may do the same. ${formatDuration(left)} are left.`
    case 'confirmed':
      return plan.outcome === null || plan.outcome.status === null
        ? 'It was carried out. What the write answered is not known.'
        : 'It was carried out.'
    case 'refused':
      return 'It was refused: nothing was done.'
    case 'expired':
      return 'Nobody decided in time: nothing was done.'
    case 'stale':
      return 'What it counted on has changed since it was made: nothing was done.'
    default:
      return plan.status satisfies never
  }
}

/** The arguments as they are sent, without what is empty. */
export function argumentsOf({ params, query, body }: Plan['arguments']): string {
  return JSON.stringify({ params, query, body }, undefined, 2)
}
