import type { KnowledgeTrialResult, TriedRun } from '@signalbox/contracts/trials'
import { trialRoutes } from '@signalbox/contracts/trials/routes'
import type { Command } from 'commander'
import { rawJson } from '../client/operations.ts'
import { CommandFailed } from '../errors.ts'
import { exitCode } from '../exit-codes.ts'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { type Columns, printItems, teamOption } from './listing.ts'
import { readTrialLimit } from './parse-arguments.ts'
import { readFields } from './pipeline-document.ts'

interface TryOptions extends ApiOptions {
  readonly file?: string
  readonly pipeline?: string
  readonly team?: string
  readonly scope?: string
  readonly runs: number
}

/** `knowledge try`: what an item, saved or not, would have made of past runs; nothing is stored and nothing starts. */
export function tryCommand(context: Context): Command {
  return apiCommand('try', 'try an item on past runs; exit 10 if some would have gone otherwise')
    .argument('[item]', 'identifier or id')
    .option('-f, --file <file>', 'YAML file with the item instead, which need not be saved; - is the standard input')
    .option('-p, --pipeline <pipeline>', 'only runs of this pipeline')
    .addOption(teamOption('only runs of this team and those below; / is all (default: the team of the item)'))
    .option('--scope <scope>', 'only runs in this scope')
    .option('--runs <n>', 'the newest so many runs, at most 200', readTrialLimit, 50)
    .action(async (item: string | undefined, options: TryOptions) => {
      const { file, pipeline, team, scope, runs: limit } = options
      if ((item === undefined) === (file === undefined)) {
        throw new CommandFailed('usage', 'Name an item, or a file with --file: one of the two.')
      }
      const draft = file === undefined ? undefined : await readFields(context, file)
      const raw = rawJson({ item, draft, pipeline, team_path: team, scope, limit })
      const result = await context.connect(options).call(trialRoutes.tryKnowledgeItem, { raw })
      if (result.differing > 0) context.finish(exitCode('runFailure'))
      if (options.json) return context.printJson(result)
      return printResult(context, result)
    })
}

function printResult(
  context: Context,
  { tried, differing, verdicts, stopped_early, runs }: KnowledgeTrialResult,
): void {
  printItems(context, runs, COLUMNS)
  const parts = Object.entries(verdicts).flatMap(([verdict, count]) =>
    count === 0 ? [] : [`${count} ${verdict.replace('_', ' ')}`],
  )
  context.printNote(
    tried === 0
      ? 'There is no such run that you may read.'
      : `Of ${tried} runs: ${parts.join(', ')}. ${differing} would have gone otherwise.`,
  )
  if (stopped_early !== null) context.printNote(stopped_early)
}

const COLUMNS: Columns<TriedRun> = [
  ['run', ({ run_id }) => run_id],
  ['pipeline', ({ pipeline }) => pipeline],
  ['scope', ({ scope }) => scope],
  ['queued', ({ queued_at }, now) => ago(queued_at, now)],
  ['happened', ({ happened }) => happened.replace('_', ' ')],
  [
    'would be',
    ({ verdict, differs }) => ({ text: verdict.replace('_', ' '), ...(differs ? { tone: 'warn' as const } : {}) }),
  ],
  ['where', ({ place }) => (place ? [place.step, place.task].filter(Boolean).join('/') || 'run' : '')],
  ['why', ({ violation, unknown }) => violation ?? unknown.join(' ')],
]
