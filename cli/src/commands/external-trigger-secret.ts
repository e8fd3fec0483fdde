import type { ExternalTriggerSecret } from '@signalbox/contracts/external-triggers'
import { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import type { Command } from 'commander'
import { type ConfirmOptions, confirm, confirmedCommand } from './confirm.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { collectList, collectPair, readRate, splitName } from './parse-arguments.ts'

const FORM = '<team path>/<name>, such as acme/web/deploy'

interface CreateOptions extends ApiOptions {
  readonly pipeline: string
  readonly scope?: string
  readonly var?: Readonly<Record<string, string>>
  readonly allow?: readonly string[]
  readonly runTeam?: string
  readonly rate?: number
  readonly disabled?: boolean
}

export function createCommand(context: Context): Command {
  return apiCommand('create', 'create an external trigger, and print its secret once; its runs start on your behalf')
    .argument('<external-trigger>', FORM)
    .requiredOption('-p, --pipeline <pipeline>', 'identifier of the pipeline that it starts')
    .option('--scope <scope>', "scope of its runs (default: the only environment of the pipeline's team)")
    .option('--var <name=value>', 'variables of its runs; any number of times', collectPair)
    .option('--allow <variable>', 'a variable that a fire may set; any number of times', collectList)
    .option('--run-team <path>', 'team that hears of its runs (default: the team of the pipeline)')
    .option('--rate <n>', 'how often it may be fired each minute (default: 60)', readRate)
    .option('--disabled', 'it starts nothing yet')
    .action(async (identifier: string, options: CreateOptions) => {
      const [team_path, name] = splitName(identifier, FORM)
      const { rate } = options
      const body = {
        team_path,
        name,
        pipeline: options.pipeline,
        scope: options.scope,
        variables: options.var,
        allowed_variables: options.allow && [...options.allow],
        run_team_path: options.runTeam,
        rate_limit: rate === undefined ? undefined : { per_minute: rate },
        enabled: options.disabled ? false : undefined,
      }
      const made = await context.connect(options).call(externalTriggerRoutes.createExternalTrigger, { body })
      printSecret(context, made, options)
      if (!options.json) context.printNote(`It starts ${made.pipeline} in ${made.scope}: POST to ${made.url}`)
    })
}

export function rotateCommand(context: Context): Command {
  return confirmedCommand('rotate', 'replace the secret of an external trigger, and print the new one once')
    .argument('<external-trigger>', 'id, or <team path>/<name>')
    .action(async (id: string, options: ConfirmOptions) => {
      const client = context.connect(options)
      await confirm(context, `Replace the secret of ${id}`, options, 'The old secret ends at once.')
      const made = await client.call(externalTriggerRoutes.rotateExternalTrigger, { params: { id } })
      printSecret(context, made, options)
    })
}

/** The secret alone, so that `... > file` holds nothing else. */
function printSecret(context: Context, made: ExternalTriggerSecret, { json }: ApiOptions): void {
  if (json) return context.printJson(made)
  context.printLine(made.secret)
  return context.printNote('This is the only time that the secret is shown.')
}
