import type { ExternalTrigger } from '@signalbox/contracts/external-triggers'
import { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import type { Command } from 'commander'
import { ago } from '../output/durations.ts'
import type { Field } from '../output/table.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { createCommand, rotateCommand } from './external-trigger-secret.ts'
import { enabledCell, listCommand, queryOfTeam, teamOption } from './listing.ts'
import { collectPair } from './parse-arguments.ts'
import { changeOf, deleteOf, showOf } from './resource.ts'
import { type AwaitOptions, tellStarted, withAwaitOptions } from './started-run.ts'

const EXTERNAL_TRIGGER = {
  noun: 'external trigger',
  named: 'id, or <team path>/<name>',
  get: externalTriggerRoutes.getExternalTrigger,
  change: externalTriggerRoutes.updateExternalTrigger,
  delete: externalTriggerRoutes.deleteExternalTrigger,
}

export function externalTriggerCommand(context: Context): Command {
  return group('external-trigger', 'external triggers: addresses that start a pipeline for other systems', [
    listOf(context),
    showOf(context, EXTERNAL_TRIGGER, 'show an external trigger; its secret is never shown', fieldsOf),
    createCommand(context),
    rotateCommand(context),
    switchCommand(context, 'enable', 'let an external trigger start runs, on your behalf'),
    switchCommand(context, 'disable', 'refuse every fire of an external trigger; its runs continue'),
    deleteOf(context, EXTERNAL_TRIGGER, 'delete an external trigger; its runs continue', 'Its secret ends for good.'),
    fireCommand(context),
  ])
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list the external triggers that you may see',
    operation: externalTriggerRoutes.listExternalTriggers,
    options: [teamOption()],
    query: queryOfTeam,
    columns: [
      ['external trigger', ({ identifier }) => identifier],
      ['pipeline', ({ pipeline }) => pipeline],
      ['scope', ({ scope }) => scope],
      ['owner', ({ owner }) => owner.name],
      ['fired', ({ last_fired_at }, now) => ago(last_fired_at, now) || 'never'],
      ['', (each) => (each.last_refusal === null ? enabledCell(each) : { text: 'refused', tone: 'bad' })],
    ],
  })
}

function fieldsOf(found: ExternalTrigger, now: number): readonly Field[] {
  const { last_refusal: refusal, run_team_path: runTeam } = found
  return [
    ['external trigger', found.identifier],
    ['id', found.id],
    ['state', enabledCell(found)],
    ['starts', `${found.pipeline} in ${found.scope}`],
    ['owner', found.owner.name],
    ['address', found.url],
    ['variables', pairsOf(found.variables)],
    ['may be set', found.allowed_variables.join(', ')],
    ['heard by', runTeam ?? undefined],
    ['limit', `${found.rate_limit.per_minute} a minute`],
    ['secret set', ago(found.secret_set_at, now)],
    ['last fired', ago(found.last_fired_at, now) || 'never'],
    ['last run', found.last_run_id ?? undefined],
    ['refused', refusal === null ? undefined : { text: refusal, tone: 'bad' }],
  ]
}

function pairsOf(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}

function switchCommand(context: Context, name: 'enable' | 'disable', description: string): Command {
  return changeOf(context, EXTERNAL_TRIGGER, {
    name,
    description,
    body: () => ({ enabled: name === 'enable' }),
    done: ({ identifier }) => `The external trigger ${identifier} is ${name}d.`,
  })
}

interface FireOptions extends AwaitOptions {
  readonly var?: Readonly<Record<string, string>>
  readonly key?: string
}

function fireCommand(context: Context): Command {
  const command = apiCommand('fire', 'start its run with your token, on your behalf, and print the id of the run')
    .argument('<external-trigger>', EXTERNAL_TRIGGER.named)
    .option('--var <name=value>', 'a variable that it allows; any number of times', collectPair)
    .option('--key <text>', 'Idempotency-Key: a repetition with the same key starts no second run')
  return withAwaitOptions(command).action(async (id: string, options: FireOptions & ApiOptions) => {
    const client = context.connect(options)
    const started = await client.call(externalTriggerRoutes.fireExternalTrigger, {
      params: { id },
      body: options.var === undefined ? {} : { variables: options.var },
      ...(options.key === undefined ? {} : { headers: { 'idempotency-key': options.key } }),
    })
    return tellStarted(context, client, started, options)
  })
}
