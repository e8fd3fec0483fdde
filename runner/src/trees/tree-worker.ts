import { parentPort } from 'node:worker_threads'
import { describeError, systemCode } from '../errors.ts'
import type { Answer, JobResult, Order } from './jobs.ts'
import { work } from './jobs.ts'
import type { Work } from './walk.ts'

// A thread that does nothing but work on trees. Calls to the file system block it and not the runner, whose heartbeats
// must be on time whatever the disk does. Jobs take turns, so that a small one does not wait for a large one.

const SLICE_MS = 10

interface Running {
  readonly id: number
  readonly steps: Work<JobResult>
  readonly until: number
}

const running = new Set<Running>()
let scheduled = false

function tell(answer: Answer): void {
  parentPort?.postMessage(answer, [])
}

/** Whether it has ended. */
function runFor({ id, steps, until }: Running, milliseconds: number): boolean {
  try {
    for (const end = performance.now() + milliseconds; performance.now() < end; ) {
      const step = steps.next()
      if (step.done) {
        tell({ id, result: step.value })
        return true
      }
    }
    if (performance.now() < until) return false
    steps.return(undefined)
    tell({ id, problem: { message: 'it took too long', code: 'ETIMEDOUT' } })
  } catch (error) {
    tell({ id, problem: { message: describeError(error), code: systemCode(error) } })
  }
  return true
}

function turn(): void {
  scheduled = false
  for (const each of running) if (runFor(each, SLICE_MS)) running.delete(each)
  schedule()
}

function schedule(): void {
  if (scheduled || running.size === 0) return
  scheduled = true
  setImmediate(turn)
}

parentPort?.on('message', ({ id, job, withinMs }: Order) => {
  running.add({ id, steps: work(job), until: performance.now() + withinMs })
  schedule()
})
