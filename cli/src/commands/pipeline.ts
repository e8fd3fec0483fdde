import type { Command } from 'commander'
import { pipeline, pipelineSummary, startedRun } from '../client/answers.ts'
import { segment } from '../client/client.ts'
import { anything } from '../client/shape.ts'
import { exitCodeOfRun } from '../exit-codes.ts'
import { ago } from '../output/durations.ts'
import { escapeText } from '../output/escape.ts'
import { watchRun } from '../runs/watch.ts'
import {
  type ApiOptions,
  apiCommand,
  type Context,
  clientOf,
  group,
  printFields,
  printJson,
  printLine,
  printNote,
} from './context.ts'
import { listCommand, queryOfTeam, teamOption } from './listing.ts'
import { collectPair } from './parse-arguments.ts'
import { applyCommand } from './pipeline-apply.ts'
import { validateCommand } from './pipeline-validate.ts'

export function pipelineCommand(context: Context): Command {
  return group('pipeline', 'pipelines: check, save, run, look', [
    validateCommand(context),
    applyCommand(context),
    runCommand(context),
    listOf(context),
    showCommand(context),
  ])
}

interface RunOptions extends ApiOptions {
  readonly var?: Readonly<Record<string, string>>
  readonly scope?: string
  readonly ref?: string
  readonly commit?: string
  readonly repository?: string
  readonly cloneUrl?: string
  readonly wait?: boolean
  readonly follow?: boolean
  readonly failOnWarning?: boolean
}

function runCommand(context: Context): Command {
  return apiCommand('run', 'start a run now; prints its id')
    .argument('<pipeline>', 'identifier such as acme/web/build, or id')
    .option('--var <name=value>', 'value of a variable; any number of times', collectPair)
    .option('--scope <scope>', 'where it runs, such as acme/web/production')
    .option('--ref <ref>', 'branch, or tag such as refs/tags/v1, that its tasks start with')
    .option('--commit <sha>', 'commit that its tasks start with, with --clone-url')
    .option('--repository <name>', 'repository of --ref, such as acme/shop, reached through a webhook source')
    .option('--clone-url <url>', 'where the commit is cloned from')
    .option('--wait', 'wait for its end, and exit with its result')
    .option('-f, --follow', 'as --wait, showing what happens')
    .option('--fail-on-warning', 'exit 13 when the run ends in warning')
    .action(async (identifier: string, options: RunOptions) => {
      const client = clientOf(context, options)
      const body = {
        ...(options.var === undefined ? {} : { variables: options.var }),
        ...(options.scope === undefined ? {} : { scope: options.scope }),
        ...(options.ref === undefined ? {} : { ref: options.ref }),
        ...(options.commit === undefined ? {} : { commit_sha: options.commit }),
        ...(options.repository === undefined ? {} : { repository: options.repository }),
        ...(options.cloneUrl === undefined ? {} : { clone_url: options.cloneUrl }),
      }
      const answer = await client.post(`/v1/pipelines/${segment(identifier)}/runs`, anything, { body })
      const { run_id: runId, note } = startedRun(answer, 'run')
      if (note) printNote(context, note)
      if (!options.wait && !options.follow) {
        return options.json ? printJson(context, answer) : printLine(context, runId)
      }
      if (!options.follow && !options.json) printLine(context, runId)
      const run = await watchRun(
        context,
        client,
        runId,
        options.follow ? 'everything' : 'nothing',
        options.json === true,
      )
      if (options.json && !options.follow) printJson(context, run)
      return context.finish(exitCodeOfRun(run.status, options.failOnWarning))
    })
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'the pipelines that you may see',
    path: '/v1/pipelines',
    item: pipelineSummary,
    options: [teamOption()],
    query: queryOfTeam,
    columns: [
      ['pipeline', ({ identifier }) => identifier],
      ['version', ({ version }) => String(version)],
      ['saved', ({ updated_at }, now) => ago(updated_at, now)],
    ],
  })
}

function showCommand(context: Context): Command {
  return apiCommand('show', 'one pipeline and its document')
    .argument('<pipeline>', 'identifier or id')
    .option('--document', 'the document alone, as it was saved')
    .action(async (identifier: string, options: ApiOptions & { document?: boolean }) => {
      const answer = await clientOf(context, options).get(`/v1/pipelines/${segment(identifier)}`, anything)
      if (options.json) return printJson(context, answer)
      const found = pipeline(answer, 'pipeline')
      const lines = found.document.trimEnd().split('\n')
      if (!options.document) {
        printFields(context, [
          ['pipeline', found.identifier],
          ['version', String(found.version)],
          ['profile', found.profile ?? undefined],
          ['saved', `${ago(found.updated_at, Date.now())} by ${found.saved_by}`],
        ])
        printLine(context, '')
      }
      for (const line of lines) printLine(context, escapeText(line))
    })
}
