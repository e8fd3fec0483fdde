import { logRoutes } from '@signalbox/contracts/logs/routes'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import type { RunDetail, RunTask } from '@signalbox/contracts/runs'
import type { Client } from '../client/client.ts'
import { ApiProblem } from '../client/problem.ts'
import { escapeText } from '../output/escape.ts'
import { usesColour } from '../output/style.ts'
import { renderText } from '../runs/render-entry.ts'
import type { Context } from './context.ts'

/** People look for the first failures; the log tells of more tasks. */
const MOST_TASKS = 3
const LAST_LINES = 10

/** The places and the last lines of failed tasks. */
export async function showFailures(context: Context, client: Client, run: RunDetail): Promise<void> {
  const failed = run.steps.flatMap((step) =>
    step.tasks
      .filter(({ status, attempt }) => attempt > 0 && (status === 'failure' || status === 'timed_out'))
      .map((task) => ({ step: step.name, task })),
  )
  for (const { step, task } of failed.slice(0, MOST_TASKS)) {
    context.printLine('')
    context.printLine(context.paint('strong', escapeText(`${step}/${task.name} ${await describeEnd(client, task)}`)))
    for (const line of await readLastLines(context, client, run.run_id, { step, task })) context.printLine(`  ${line}`)
  }
  if (failed.length > MOST_TASKS) context.printNote(`${failed.length - MOST_TASKS} more tasks failed.`)
  if (failed.length > 0) context.printNote(`All lines: signalbox run logs ${run.run_id}`)
}

async function describeEnd(client: Client, { status, attempt, attempts }: RunTask): Promise<string> {
  const last = attempts.findLast((each) => each.attempt === attempt)
  const parts = [status === 'timed_out' ? 'timed out' : 'failed']
  if (last?.runner_id) parts.push(`on the runner ${await nameOfRunner(client, last.runner_id)}`)
  if (last?.exit_code) parts.push(`with exit code ${last.exit_code}`)
  if (attempt > 1) parts.push(`in attempt ${attempt}`)
  return parts.join(' ')
}

/** The id of a runner that was removed, or that the caller may not see. */
async function nameOfRunner(client: Client, id: string): Promise<string> {
  const found = await orRefused(() => client.call(runnerRoutes.getRunner, { params: { id } }))
  return found?.name ?? id
}

async function readLastLines(
  context: Context,
  client: Client,
  runId: string,
  { step, task }: { readonly step: string; readonly task: RunTask },
): Promise<readonly string[]> {
  const query = { step, task: task.name, attempt: task.attempt, tail: LAST_LINES }
  const entries = await orRefused(() => client.call(logRoutes.listLogLines, { params: { id: runId }, query }))
  const colours = usesColour(context.surroundings.env, context.surroundings.out.isTerminal)
  return (entries ?? [])
    .filter(({ fold }) => fold?.kind !== 'end')
    .map((entry) => renderText(entry, context.paint, colours))
}

/** Undefined where the caller may not see it: the run itself may be seen all the same. */
async function orRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ApiProblem && (error.status === 403 || error.status === 404)) return undefined
    throw error
  }
}
