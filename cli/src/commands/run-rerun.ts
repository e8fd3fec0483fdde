import { runRoutes } from '@signalbox/contracts/runs/routes'
import type { Command } from 'commander'
import type { BodyOf } from '../client/operations.ts'
import { CommandFailed } from '../errors.ts'
import { exitCodeOfRun } from '../exit-codes.ts'
import { watchRun } from '../runs/watch.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, printJson, printLine } from './context.ts'
import { collectPair } from './parse-arguments.ts'

interface RerunOptions extends ApiOptions {
  readonly fromFailed?: boolean
  readonly fromStep?: string
  readonly variable?: Readonly<Record<string, string>>
  readonly newest?: boolean
  readonly follow?: boolean
}

export function rerunCommand(context: Context): Command {
  return apiCommand('rerun', 'start a new run of the same commit: whole, or of what is to be done again')
    .argument('<run>', 'id of the run')
    .option('--from-failed', 'only what did not succeed, with the outputs of what did')
    .option('--from-step <step>', 'only this step and what follows it')
    .option('--var, --variable <name=value>', 'another value of a variable; any number of times', collectPair)
    .option('--newest', 'of the pipeline as it is now, not as it was')
    .option('-f, --follow', 'follow the new run, and exit with its result')
    .action(async (id: string, options: RerunOptions) => {
      const client = clientOf(context, options)
      const answer = await client.call(runRoutes.rerunRun, { params: { id }, body: bodyOf(options) })
      const { runId } = answer
      if (options.json && !options.follow) return printJson(context, answer)
      if (!options.follow) return printLine(context, runId)
      const run = await watchRun(context, client, runId, 'everything', options.json === true)
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
