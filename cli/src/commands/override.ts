import type { Override, OverrideOrNone } from '@signalbox/contracts/overrides'
import { overrideRoutes } from '@signalbox/contracts/overrides/routes'
import type { Command } from 'commander'
import { ago } from '../output/durations.ts'
import type { Cell } from '../output/table.ts'
import { type ConfirmOptions, confirm, confirmedCommand } from './confirm.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { listCommand, queryOfTeam, teamOption } from './listing.ts'
import { previewCommand, resolveCommand } from './override-effect.ts'
import { repositoryParams } from './override-path.ts'
import { validateCommand } from './override-validate.ts'
import { readMoment } from './parse-arguments.ts'

export function overrideCommand(context: Context): Command {
  return group('override', 'overrides; an override is the only rule that starts runs of its repository', [
    listOf(context),
    showCommand(context),
    setCommand(context),
    deleteCommand(context),
    validateCommand(context),
    resolveCommand(context),
    previewCommand(context),
  ])
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list the overrides that you may see',
    operation: overrideRoutes.listOverrides,
    options: [teamOption()],
    query: queryOfTeam,
    columns: [
      ['repository', (each) => `${each.repo_owner}/${each.repo_name}`],
      ['pipeline', ({ pipeline }) => pipeline],
      ['scope', ({ scope }) => scope],
      ['expires', expiryOf],
      ['in effect', effectOf],
      ['owner', ({ owner }) => owner.name],
      ['reason', ({ reason }) => reason ?? ''],
    ],
  })
}

function showCommand(context: Context): Command {
  return apiCommand('show', 'show the override of a repository')
    .alias('get')
    .argument('<repository>', '<owner>/<name>, such as acme/shop')
    .action(async (repository: string, options: ApiOptions) => {
      const params = repositoryParams(repository)
      const found = await context.connect(options).call(overrideRoutes.getOverride, { params })
      if (options.json) return context.printJson(found)
      if (!isOverride(found)) return context.printNote(`${repository} has no override.`)
      return context.printFields([
        ['repository', `${found.repo_owner}/${found.repo_name}`],
        ['pipeline', found.pipeline],
        ['scope', found.scope],
        ['expires', expiryOf(found)],
        ['in effect', effectOf(found)],
        ['because', found.not_in_effect_because ?? undefined],
        ['reason', found.reason ?? undefined],
        ['written', `${ago(found.updated_at, Date.now())} by ${found.owner.name}`],
      ])
    })
}

interface SetOptions extends ApiOptions {
  readonly pipeline: string
  readonly scope?: string
  readonly expires?: string
  readonly reason?: string
}

function setCommand(context: Context): Command {
  return apiCommand('set', 'create or replace the override of a repository; omitted options are cleared')
    .argument('<repository>', '<owner>/<name>, such as acme/shop')
    .requiredOption('-p, --pipeline <pipeline>', 'pipeline that every event of the repository starts')
    .option('--scope <scope>', "scope of its runs (default: the only environment of the pipeline's team)")
    .option('--expires <time>', 'when the override ends, such as 2027-01-01T00:00:00Z', readMoment)
    .option('--reason <text>', 'the reason, for readers of the override')
    .action(async (repository: string, options: SetOptions) => {
      const { pipeline, scope, expires: expires_at, reason } = options
      const params = repositoryParams(repository)
      const body = { pipeline, scope, expires_at, reason }
      const written = await context.connect(options).call(overrideRoutes.replaceOverride, { params, body })
      if (options.json) return context.printJson(written)
      const until = written.expires_at === null ? '' : ` until ${written.expires_at}`
      if (!written.in_effect) {
        context.printNote(`The override of ${repository} is stored and not in effect.`, 'warn')
        return context.printNote(written.not_in_effect_because ?? '')
      }
      return context.printNote(`${repository} starts ${written.pipeline} in ${written.scope}${until}.`)
    })
}

function deleteCommand(context: Context): Command {
  return confirmedCommand('delete', 'delete the override of a repository; its manifest and the triggers apply again')
    .argument('<repository>', '<owner>/<name>, such as acme/shop')
    .action(async (repository: string, options: ConfirmOptions) => {
      const params = repositoryParams(repository)
      await confirm(context, `Delete the override of ${repository}`, options)
      await context.connect(options).call(overrideRoutes.deleteOverride, { params })
      if (options.json) return context.printJson({ deleted: repository })
      return context.printNote(`${repository} has no override.`)
    })
}

function expiryOf({ expires_at: expiresAt, expired }: Override): string | Cell {
  if (expiresAt === null) return 'never'
  return expired ? { text: `expired ${ago(expiresAt, Date.now())}`, tone: 'warn' } : expiresAt
}

function effectOf({ in_effect: inEffect }: Override): string | Cell {
  return inEffect ? 'yes' : { text: 'no', tone: 'warn' }
}

/** The answer of a repository without an override is empty. */
function isOverride(found: OverrideOrNone): found is Override {
  return found.pipeline !== undefined
}
