import type { BodyOf } from '@signalbox/contracts/http/requests'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import type { Command } from 'commander'
import { CommandFailed } from '../errors.ts'
import { exitCodeOfRun } from '../exit-codes.ts'
import { watchRun } from '../runs/watch.ts'
import { apiCommand, type Context } from './context.ts'
import { type DryRunOptions, dryRunQuery, isDryRun, printDryRun, withDryRun } from './dry-run.ts'
import { collectPair } from './parse-arguments.ts'

interface RerunOptions extends DryRunOptions {
  readonly fromFailed?: boolean
  readonly fromStep?: string
  readonly variable?: Readonly<Record<string, string>>
  readonly newest?: boolean
  readonly follow?: boolean
}

export function rerunCommand(context: Context): Command {
  const command = apiCommand('rerun', 'start a new run of the same commit: all of it, or a part')
    .argument('<run>', 'id of the run')
    .option('--from-failed', 'run only what did not succeed; use the outputs of what did')
    .option('--from-step <step>', 'run only this step and the steps after it')
    .option('--var, --variable <name=value>', 'change the value of a variable; may be repeated', collectPair)
    .option('--newest', 'use the newest version of the pipeline instead of the version of the run')
    .option('-f, --follow', 'follow the new run and exit with its result')
  return withDryRun(command).action(async (id: string, options: RerunOptions) => {
    const client = context.connect(options)
    const request = { params: { id }, query: dryRunQuery(options), body: bodyOf(options) }
    const answer = await client.call(runRoutes.rerunRun, request)
    if (isDryRun(answer)) return printDryRun(context, answer, options)
    const { runId } = answer
    if (options.json && !options.follow) return context.printJson(answer)
    if (!options.follow) return context.printLine(runId)
    const run = await watchRun(context, client, runId, { json: options.json })
    return context.finish(exitCodeOfRun(run.status))
  })
}

function bodyOf({ fromFailed, fromStep, variable, newest }: RerunOptions): BodyOf<typeof runRoutes.rerunRun> {
  if (fromFailed && fromStep !== undefined) {
    throw new CommandFailed('usage', 'A rerun begins in one place.', 'Give --from-failed or --from-step, not both.')
  }
  return {
    ...(fromFailed ? { mode: 'failed' } : {}),
    ...(fromStep === undefined ? {} : { mode: 'step', step: fromStep }),
    ...(variable === undefined ? {} : { variables: variable }),
    ...(newest ? { document: 'newest' } : {}),
  }
}
