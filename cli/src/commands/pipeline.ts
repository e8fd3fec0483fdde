import type { Command } from 'commander'
import { pipeline, pipelineSummary, pipelineVersion, pipelineVersionSummary, startedRun } from '../client/answers.ts'
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
import { type ListOptions, listCommand, printList, queryOfTeam, teamOption } from './listing.ts'
import { collectPair, readLimit, readVersion } from './parse-arguments.ts'
import { applyCommand } from './pipeline-apply.ts'
import { validateCommand } from './pipeline-validate.ts'
import { deleteOf, type Resource } from './resource.ts'
import { schemaCommand } from './schema.ts'

const pipelines: Resource<ReturnType<typeof pipelineSummary>> = {
  noun: 'pipeline',
  path: '/v1/pipelines',
  item: pipelineSummary,
  named: 'identifier such as acme/web/build, or id',
  nameOf: ({ identifier }) => identifier,
  addressedByName: true,
}

export function pipelineCommand(context: Context): Command {
  return group('pipeline', 'pipelines: check, save, run, look', [
    validateCommand(context),
    applyCommand(context),
    runCommand(context),
    listOf(context),
    showCommand(context),
    versionsCommand(context),
    deleteOf(context, pipelines, 'delete a pipeline; what names it starts nothing any more', 'Its runs stay.'),
    schemaCommand(context, '/v1/schemas/pipeline.json', 'of pipeline documents'),
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
    .option('--version <n>', 'this version instead of the newest', readVersion)
    .action(async (identifier: string, options: ApiOptions & { document?: boolean; version?: number }) => {
      const client = clientOf(context, options)
      const address = `/v1/pipelines/${segment(identifier)}`
      if (options.version !== undefined) {
        const saved = await client.get(`${address}/versions/${options.version}`, anything)
        if (options.json) return printJson(context, saved)
        return showVersion(context, identifier, options, saved)
      }
      const answer = await client.get(address, anything)
      if (options.json) return printJson(context, answer)
      const found = pipeline(answer, 'pipeline')
      if (!options.document) {
        printFields(context, [
          ['pipeline', found.identifier],
          ['version', String(found.version)],
          ['profile', found.profile ?? undefined],
          ['saved', `${ago(found.updated_at, Date.now())} by ${found.saved_by}`],
        ])
        printLine(context, '')
      }
      return printDocument(context, found.document)
    })
}

function showVersion(context: Context, identifier: string, options: { document?: boolean }, answer: unknown): void {
  const saved = pipelineVersion(answer, 'version')
  if (!options.document) {
    printFields(context, [
      ['pipeline', identifier],
      ['version', String(saved.version)],
      ['saved', `${ago(saved.saved_at, Date.now())} by ${saved.saved_by}`],
    ])
    printLine(context, '')
  }
  printDocument(context, saved.document)
}

function printDocument(context: Context, document: string): void {
  for (const line of document.trimEnd().split('\n')) printLine(context, escapeText(line))
}

function versionsCommand(context: Context): Command {
  return apiCommand('versions', 'every save of a pipeline, newest first; `pipeline show --version` shows one')
    .argument('<pipeline>', pipelines.named)
    .option('--limit <n>', 'how many at most', readLimit, 50)
    .option('--all', 'all of them, however many there are')
    .action((identifier: string, options: ListOptions) =>
      printList(
        context,
        clientOf(context, options),
        {
          path: `/v1/pipelines/${segment(identifier)}/versions`,
          item: pipelineVersionSummary,
          columns: [
            ['version', ({ version }) => String(version)],
            ['id', ({ id }) => id],
            ['saved', ({ saved_at }, now) => ago(saved_at, now)],
            ['by', ({ saved_by }) => saved_by],
          ],
        },
        options,
      ),
    )
}
