import type { Hello } from '@signalbox/contracts/runner'
import type { Runner } from '#rooms/catalog/runners'
import type { AttemptRow } from '#rooms/execution/runs'
import type { StreamMeans } from '../means.ts'
import type { NewAssignment } from '../rules/assignment.ts'
import { fateOf } from '../rules/greeting.ts'
import type { InboxItem } from '../rules/inbox.ts'
import { RunnerSession, type RunnerStream, type TrackedAssignment } from '../sessions/runner-session.ts'

interface Arrival {
  readonly runner: Runner
  readonly stream: RunnerStream
  readonly hello: Hello
  readonly isOver: () => boolean
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
/** So many are told to be over at once, or what is not read yet would end the stream; the next Hello names the others. */
const MOST_KEPT = 1000

/**
 * Compares the attempts in the runner's hand with the attempts in the tables, between two rounds; `fateOf` decides
 * about each. An attempt that goes on continues with its first line that is not stored. Lines are stored beside the
 * round that stores the start: an attempt with lines has begun. The runner also hears which of its kept workspaces
 * nobody needs any more.
 * Undefined when the runner was removed meanwhile, or waits no more. Throws runner.hello_refused.
 */
export async function greetRunner(means: StreamMeans, arrival: Arrival): Promise<RunnerSession | undefined> {
  return await means.dispatcher.exclusively(async () => {
    if (arrival.isOver()) return undefined
    const { hello, stream } = arrival
    const db = means.database.kysely
    const since = means.clock.now()
    const connection = { runnerId: arrival.runner.id, processId: means.processId, since }
    const { version, capacity, labels, executors, draining } = hello
    const runner = await means.runners.setConnected(db, connection, { version, capacity, labels, executors }, draining)
    if (!runner) return undefined
    const begun = new Set(hello.begun.map(Number))
    const inHand = new Set(hello.attempts.map(({ fence }) => Number(fence)))
    const rows = await means.runs.progress.listAssigned(db, runner.id, [...inHand])
    const leaseUntil = new Date(means.clock.now().getTime() + means.config.leaseSeconds * 1000)
    const leased = rows.flatMap((row) => (row.status === 'leased' && row.fence !== null ? [row.fence] : []))
    const renewed = new Map(
      (await means.runs.progress.renewLeases(db, runner.id, leased, leaseUntil)).map((each) => [each.fence, each]),
    )
    const kept = hello.keptWorkspaces.filter(({ runId }) => UUID.test(runId)).slice(0, MOST_KEPT)
    const over = kept.length === 0 ? [] : await means.runs.progress.listOver(db, runner.id, kept)
    const next = await means.logs.nextLines(
      db,
      rows.map((row) => row.id),
    )
    const session = new RunnerSession(runner, stream, { capacity, draining, since })
    const again: NewAssignment[] = []
    const gone: InboxItem[] = []
    for (const row of rows) {
      if (row.fence === null) continue
      const storedLines = next.get(row.id) ?? 0
      const fate = fateOf({
        status: row.status,
        isLeased: renewed.has(row.fence),
        inHand: inHand.has(row.fence),
        hasBegun: row.startedAt !== null || storedLines > 0 || begun.has(row.fence),
      })
      if (fate === 'goes_on' || fate === 'done') {
        session.assignments.set(row.fence, toTracked(row, row.fence, storedLines, fate === 'done'))
      } else if (fate === 'again') again.push(toNewAssignment(row, row.fence, runner.id))
      else if (fate === 'lost') gone.push(toLost(row, runner.id))
    }
    if (arrival.isOver()) return session
    means.sessions.connect(session)
    session.send({
      case: 'welcome',
      value: {
        runnerId: runner.id,
        leaseSeconds: means.config.leaseSeconds,
        heartbeatSeconds: means.config.heartbeatSeconds,
        resume: [...session.assignments.values()].map((assignment) => ({
          fence: BigInt(assignment.fence),
          nextLine: BigInt(assignment.storedLines),
        })),
        lost: [...inHand].filter((fence) => !session.assignments.has(fence)).map(BigInt),
      },
    })
    for (const { fence, cancelReason } of renewed.values()) {
      if (cancelReason !== null) means.sessions.cancel(runner.id, fence, cancelReason)
    }
    if (runner.draining) session.drain()
    for (const assignment of again) {
      means.sessions.give(assignment)
      means.assign(undefined, assignment)
    }
    means.dispatcher.push(...gone)
    for (const { runId, step } of over) session.send({ case: 'workspaceOver', value: { runId, step } })
    means.log.info({ runnerId: runner.id, runner: runner.name, attempts: session.assignments.size }, 'runner connected')
    return session
  })
}

function toTracked(row: AttemptRow, fence: number, storedLines: number, done: boolean): TrackedAssignment {
  const { id: attemptId, runId, step, task, number, startedAt } = row
  return {
    fence,
    attemptId,
    runId,
    step,
    task,
    number,
    startedAt,
    storedLines,
    finished: undefined,
    reported: false,
    done,
  }
}

function toNewAssignment(row: AttemptRow, fence: number, runnerId: string): NewAssignment {
  return { attemptId: row.id, fence, runnerId, runId: row.runId, step: row.step, task: row.task, number: row.number }
}

function toLost(row: AttemptRow, runnerId: string): InboxItem {
  const { id: attemptId, runId, step, task, number } = row
  const assignment = { attemptId, runId, step, task, number }
  return {
    kind: 'lost',
    runnerId,
    assignment,
    reason: 'the runner no longer has it: it was restarted, or gave it up at the end of its lease',
    ifExpired: false,
  }
}
