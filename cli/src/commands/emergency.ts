import type { Emergency } from '@signalbox/contracts/knowledge'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { type Command, Option } from 'commander'
import { ago } from '../output/durations.ts'
import type { Cell } from '../output/table.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { type ListOptions, listCommand } from './listing.ts'
import { showOf } from './resource.ts'

const emergencies = { noun: 'emergency', named: 'id of the emergency', get: knowledgeRoutes.getEmergency }

export function emergencyCommand(context: Context): Command {
  return group('emergency', 'emergencies: cancel all runs in some scopes, and hold new ones', [
    declareCommand(context),
    liftCommand(context),
    listOf(context),
    showOf(context, emergencies, 'show an emergency', (found, now) => [
      ['emergency', found.id],
      ['scope', found.scope],
      ['state', stateOf(found, now)],
      ['declared', `${ago(found.declared_at, now)} by ${found.declared_by.name}`],
      ['reason', found.reason],
      ['lifted because', found.lift_reason ?? undefined],
    ]),
  ])
}

function declareCommand(context: Context): Command {
  return apiCommand('declare', 'declare an emergency: cancel runs in matching scopes and hold new runs; print its id')
    .argument('<scope>', 'pattern such as acme/web/** or acme/*/production')
    .requiredOption('-r, --reason <text>', 'the reason, for people whose runs are stopped')
    .action(async (scope: string, options: ApiOptions & { reason: string }) => {
      const body = { scope, reason: options.reason }
      const declared = await context.connect(options).call(knowledgeRoutes.declareEmergency, { body })
      if (options.json) return context.printJson(declared)
      context.printLine(declared.id)
      return context.printNote(`Nothing begins in ${declared.scope} until \`signalbox emergency lift ${declared.id}\`.`)
    })
}

function liftCommand(context: Context): Command {
  return apiCommand('lift', 'lift an emergency: held runs may begin; canceled runs stay canceled')
    .argument('<id>', 'id of the emergency')
    .option('-r, --reason <text>', 'the reason, for later readers')
    .action(async (id: string, options: ApiOptions & { reason?: string }) => {
      const request = { params: { id }, body: { reason: options.reason ?? null } }
      const lifted = await context.connect(options).call(knowledgeRoutes.liftEmergency, request)
      if (options.json) return context.printJson(lifted)
      return context.printNote(`The emergency in ${lifted.scope} is lifted.`)
    })
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list the emergencies that are in force',
    operation: knowledgeRoutes.listEmergencies,
    options: [new Option('--lifted', 'also list lifted emergencies')],
    query: ({ lifted }: ListOptions & { readonly lifted?: boolean }) => (lifted ? {} : { active: true }),
    columns: [
      ['id', ({ id }) => id],
      ['scope', ({ scope }) => scope],
      ['state', stateOf],
      ['declared', (each, now) => `${ago(each.declared_at, now)} by ${each.declared_by.name}`],
      ['reason', ({ reason }) => reason],
      ['lifted because', ({ lift_reason }) => lift_reason ?? ''],
    ],
  })
}

function stateOf(each: Emergency, now: number): string | Cell {
  if (each.active) return { text: 'holds', tone: 'bad' }
  return `lifted ${ago(each.lifted_at, now)} by ${each.lifted_by?.name ?? ''}`
}
