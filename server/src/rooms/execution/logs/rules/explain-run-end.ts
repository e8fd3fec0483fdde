import type { Evidence, Finding } from '@signalbox/contracts/http'
import type { RunOutcome } from '#rooms/execution/runs'
import type { Fall } from './failure-roots.ts'

const LOST_RUNNERS = /^stopped: it lost its runner \d+ times$/
const POLICY = /^The (?:policy|guardrail) \S+ (?:is violated|cannot be judged)/

/** Sentences about the run as a whole, the most decisive first. They quote no reason: people and pipelines write some. */
export function explainRunEnd({ run }: Pick<RunOutcome, 'run'>, fall: Fall): Finding[] {
  const evidence: Evidence[] = [{ kind: 'run', id: run.id }]
  const say = (code: string, sentence: string): Finding => ({ code, sentence, evidence })
  const findings: Finding[] = [say(...endOf(run))]
  const { roots, neverRan, canceled } = fall
  if (roots.length > 0) {
    findings.push(
      say(
        'run.roots',
        `${countOf(roots.length, roots.every(({ task }) => task !== undefined) ? 'task' : 'part')} failed by ${roots.length === 1 ? 'itself' : 'themselves'}.`,
      ),
    )
  } else if (isBad(run.status) && run.startedAt !== null) {
    findings.push(say('run.no_roots', 'No step and no task failed by itself: the run was ended as a whole.'))
  }
  if (neverRan.length > 0) {
    findings.push(say('run.never_ran', `${countOf(neverRan.length, 'task')} never ran because of what failed before.`))
  }
  if (canceled.length > 0) {
    findings.push(
      say(
        'run.canceled_tasks',
        `${countOf(canceled.length, 'task')} ended, or never began, because the run or the step was ended.`,
      ),
    )
  }
  return findings
}

function isBad(status: string): boolean {
  return status === 'failure' || status === 'timed_out' || status === 'canceled'
}

function endOf({ status, reason, startedAt, ending }: RunOutcome['run']): [code: string, sentence: string] {
  switch (status) {
    case 'success':
      return ['run.succeeded', 'The run succeeded; nothing in it failed, or what failed was tried again.']
    case 'warning':
      return ['run.warning', 'The run ended with a warning: what failed is ignored by its pipeline.']
    case 'canceled':
      return startedAt === null
        ? ['run.canceled_before_start', 'The run was canceled before it began.']
        : ['run.canceled', 'The run was canceled while it ran.']
    case 'timed_out':
      if (startedAt === null)
        return ['run.queue_timeout', 'No runner took the run before its time in the queue was over.']
      return ['run.timed_out', 'The run timed out.']
    case 'failure':
      if (POLICY.test(reason ?? '')) {
        return ['run.policy', 'An item of knowledge that binds ended the run; the reason names it.']
      }
      if (startedAt === null) return ['run.refused', 'The run was refused before it began; the reason says why.']
      if (LOST_RUNNERS.test(ending?.reason ?? '')) {
        return ['run.lost_runners', 'The run was stopped because it lost its runner again and again.']
      }
      return ['run.failed', 'The run failed.']
    default:
      return ['run.not_over', 'The run is not over; this is what failed so far.']
  }
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
