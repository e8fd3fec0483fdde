import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { exitCodeOfRun } from '../exit-codes.ts'
import { watchRun } from '../runs/watch.ts'
import type { ApiOptions, Context } from './context.ts'

/** The behaviour of a command that starts a run, until the run's end. */
export interface AwaitOptions extends ApiOptions {
  readonly wait?: boolean
  readonly follow?: boolean
  readonly failOnWarning?: boolean
}

export function withAwaitOptions(command: Command): Command {
  return command
    .option('--wait', 'wait for the end of the run, and exit with its result')
    .option('-f, --follow', 'like --wait, and show progress')
    .option('--fail-on-warning', 'exit 13 when the run ends in warning')
}

/** Prints the id of a run that was just started, or the answer; waits for its end where the options ask for that. */
export async function tellStarted(
  context: Context,
  client: Client,
  answer: { readonly run_id: string },
  { wait, follow, failOnWarning, json }: AwaitOptions,
): Promise<void> {
  const { run_id: runId } = answer
  if (!wait && !follow) return json ? context.printJson(answer) : context.printLine(runId)
  if (!follow && !json) context.printLine(runId)
  const run = await watchRun(context, client, runId, { show: follow ? 'everything' : 'nothing', json })
  if (json && !follow) context.printJson(run)
  context.finish(exitCodeOfRun(run.status, failOnWarning))
}
