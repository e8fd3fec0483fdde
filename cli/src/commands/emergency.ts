import type { Command } from 'commander'
import { segment } from '../client/client.ts'
import { emergency } from '../client/knowledge-answers.ts'
import { anything } from '../client/shape.ts'
import { ago } from '../output/durations.ts'
import type { Cell } from '../output/table.ts'
import {
  type ApiOptions,
  apiCommand,
  type Context,
  clientOf,
  group,
  printJson,
  printLine,
  printNote,
  printTable,
} from './context.ts'
import { readLimit } from './parse-arguments.ts'

export function emergencyCommand(context: Context): Command {
  return group('emergency', 'emergencies: stop what runs in some scopes, and let nothing begin there', [
    declareCommand(context),
    liftCommand(context),
    listCommand(context),
  ])
}

function declareCommand(context: Context): Command {
  return apiCommand('declare', 'cancel what runs in the scopes of a pattern, and let new runs wait; prints its id')
    .argument('<scope>', 'pattern such as acme/web/** or acme/*/production')
    .requiredOption('-r, --reason <text>', 'for whoever is stopped')
    .action(async (scope: string, options: ApiOptions & { reason: string }) => {
      const body = { scope, reason: options.reason }
      const answer = await clientOf(context, options).post('/v1/emergencies', anything, { body })
      if (options.json) return printJson(context, answer)
      const declared = emergency(answer, 'emergency')
      printLine(context, declared.id)
      return printNote(
        context,
        `Nothing begins in ${declared.scope} until \`signalbox emergency lift ${declared.id}\`.`,
      )
    })
}

function liftCommand(context: Context): Command {
  return apiCommand('lift', 'lift an emergency: what waits may begin, what was canceled stays so')
    .argument('<id>', 'id of the emergency')
    .option('-r, --reason <text>', 'for whoever reads it later')
    .action(async (id: string, options: ApiOptions & { reason?: string }) => {
      const path = `/v1/emergencies/${segment(id)}/lift`
      const answer = await clientOf(context, options).post(path, anything, { body: { reason: options.reason ?? null } })
      if (options.json) return printJson(context, answer)
      const lifted = emergency(answer, 'emergency')
      return printNote(context, `The emergency in ${lifted.scope} is lifted.`)
    })
}

function listCommand(context: Context): Command {
  return apiCommand('list', 'the emergencies that hold now')
    .option('-a, --all', 'those that were lifted too')
    .option('--limit <n>', 'how many at most', readLimit, 50)
    .action(async (options: ApiOptions & { all?: boolean; limit: number }) => {
      const query = options.all ? {} : { active: true }
      const answer = await clientOf(context, options).list('/v1/emergencies', anything, options.limit, { query })
      if (options.json) return printJson(context, answer)
      const now = Date.now()
      const rows = answer
        .map((item) => emergency(item, 'emergency'))
        .map((each) => [
          each.id,
          each.scope,
          stateOf(each, now),
          `${ago(each.declared_at, now)} by ${each.declared_by.name}`,
          each.reason,
          each.lift_reason ?? '',
        ])
      return printTable(context, ['id', 'scope', 'state', 'declared', 'reason', 'lifted because'], rows)
    })
}

function stateOf(each: ReturnType<typeof emergency>, now: number): string | Cell {
  if (each.active) return { text: 'holds', tone: 'bad' }
  return `lifted ${ago(each.lifted_at, now)} by ${each.lifted_by?.name ?? ''}`
}
