import type { PipelineVersionDetail } from '@signalbox/contracts/pipelines'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import type { Command } from 'commander'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { type DryRunOptions, dryRunQuery, isDryRun, printDryRun, withDryRun } from './dry-run.ts'
import { type ListOptions, listCommand, printList, queryOfTeam, teamOption, withLimit } from './listing.ts'
import { collectPair, readVersion } from './parse-arguments.ts'
import { applyCommand } from './pipeline-apply.ts'
import { validateCommand } from './pipeline-validate.ts'
import { deleteOf } from './resource.ts'
import { schemaCommand } from './schema.ts'
import { type AwaitOptions, tellStarted, withAwaitOptions } from './started-run.ts'

const pipelines = {
  noun: 'pipeline',
  named: 'identifier such as acme/web/build, or id',
  delete: pipelineRoutes.deletePipeline,
}

export function pipelineCommand(context: Context): Command {
  return group('pipeline', 'check, save, run and show pipelines', [
    validateCommand(context),
    applyCommand(context),
    runCommand(context),
    listOf(context),
    showCommand(context),
    versionsCommand(context),
    deleteOf(
      context,
      pipelines,
      'delete a pipeline; triggers and overrides that name it start nothing afterwards',
      'Its runs stay.',
    ),
    schemaCommand(context, pipelineRoutes.getPipelineSchema, 'of pipeline documents'),
  ])
}

interface RunOptions extends AwaitOptions, DryRunOptions {
  readonly var?: Readonly<Record<string, string>>
  readonly scope?: string
  readonly ref?: string
  readonly commit?: string
  readonly repository?: string
  readonly cloneUrl?: string
}

function runCommand(context: Context): Command {
  const command = apiCommand('run', 'start a run now, and print its id')
    .argument('<pipeline>', 'identifier such as acme/web/build, or id')
    .option('--var <name=value>', 'value of a variable; may be repeated', collectPair)
    .option('--scope <scope>', 'scope of the run, such as acme/web/production')
    .option('--ref <ref>', 'branch, or tag such as refs/tags/v1, that tasks check out')
    .option('--commit <sha>', 'commit that tasks check out; needs --clone-url')
    .option('--repository <name>', 'repository of --ref, such as acme/shop; a webhook source must know it')
    .option('--clone-url <url>', 'address to clone the commit from')
  return withDryRun(withAwaitOptions(command)).action(async (identifier: string, options: RunOptions) => {
    const client = context.connect(options)
    const { var: variables, scope, ref, commit: commit_sha, repository, cloneUrl: clone_url } = options
    const answer = await client.call(runRoutes.startRun, {
      params: { id: identifier },
      query: dryRunQuery(options),
      body: { variables, scope, ref, commit_sha, repository, clone_url },
    })
    if (isDryRun(answer)) return printDryRun(context, answer, options)
    if (answer.note !== null) context.printNote(answer.note)
    return tellStarted(context, client, answer, options)
  })
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list the pipelines that you may see',
    operation: pipelineRoutes.listPipelines,
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
  return apiCommand('show', 'show a pipeline and its document')
    .argument('<pipeline>', 'identifier or id')
    .option('--document', 'print only the document, as it was saved')
    .option('--version <n>', 'show this version instead of the newest', readVersion)
    .action(async (id: string, options: ApiOptions & { document?: boolean; version?: number }) => {
      const client = context.connect(options)
      if (options.version !== undefined) {
        const params = { id, version: options.version }
        const saved = await client.call(pipelineRoutes.getPipelineVersion, { params })
        if (options.json) return context.printJson(saved)
        return showVersion(context, id, options, saved)
      }
      const found = await client.call(pipelineRoutes.getPipeline, { params: { id } })
      if (options.json) return context.printJson(found)
      if (!options.document) {
        context.printFields([
          ['pipeline', found.identifier],
          ['version', String(found.version)],
          ['profile', found.profile ?? undefined],
          ['saved', `${ago(found.updated_at, Date.now())} by ${found.saved_by}`],
        ])
        context.printLine('')
      }
      return context.printText(found.document)
    })
}

function showVersion(
  context: Context,
  identifier: string,
  options: { readonly document?: boolean },
  saved: PipelineVersionDetail,
): void {
  if (!options.document) {
    context.printFields([
      ['pipeline', identifier],
      ['version', String(saved.version)],
      ['saved', `${ago(saved.saved_at, Date.now())} by ${saved.saved_by}`],
    ])
    context.printLine('')
  }
  context.printText(saved.document)
}

function versionsCommand(context: Context): Command {
  return withLimit(
    apiCommand('versions', 'list the versions of a pipeline, newest first; `pipeline show --version` shows one'),
  )
    .argument('<pipeline>', pipelines.named)
    .action((id: string, options: ListOptions) =>
      printList(
        context,
        context.connect(options),
        {
          operation: pipelineRoutes.listPipelineVersions,
          params: { id },
          columns: [
            ['version', ({ version }) => String(version)],
            ['id', (each) => each.id],
            ['saved', ({ saved_at }, now) => ago(saved_at, now)],
            ['by', ({ saved_by }) => saved_by],
          ],
        },
        options,
      ),
    )
}
