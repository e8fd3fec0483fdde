import { simulationRoutes, triggerRoutes } from '@signalbox/contracts/triggers/routes'
import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { rawJson } from '../client/operations.ts'
import { ago } from '../output/durations.ts'
import { toneOf } from '../output/style.ts'
import { apiCommand, type Context } from './context.ts'
import { readLimit } from './parse-arguments.ts'
import { resolveSource } from './source-lookup.ts'
import { readTriggerFields, type TriggerOptions, withTriggerOptions } from './trigger-fields.ts'
import { resolveTrigger } from './trigger-lookup.ts'

interface SimulateOptions extends TriggerOptions {
  readonly deliveriesOf?: string
  readonly limit: number
}

/** A trigger that is only tried out needs no name. */
const NAMELESS = { name: 'simulated', events: ['push'] }

export function simulateCommand(context: Context): Command {
  return withTriggerOptions(
    apiCommand('simulate', 'show what a trigger would have started for stored deliveries; nothing is saved'),
  )
    .argument('[trigger]', 'a saved trigger to begin with: id, or <team path>/<name>')
    .option('--deliveries-of <source>', 'only deliveries of this source, by name or id')
    .option('--limit <n>', 'the largest number of events, up to 200', readLimit, 50)
    .action(async (given: string | undefined, options: SimulateOptions) => {
      const client = context.connect(options)
      const stored = given === undefined ? {} : await readStored(client, given)
      const body = {
        trigger: { ...NAMELESS, ...stored, ...(await readTriggerFields(context, options)) },
        limit: options.limit,
        ...(options.deliveriesOf === undefined ? {} : { source_id: await resolveSource(client, options.deliveriesOf) }),
      }
      const simulation = await client.call(simulationRoutes.simulateTrigger, { raw: rawJson(body) })
      if (options.json) return context.printJson(simulation)
      const { deliveries_considered: considered, results } = simulation
      const matched = results.filter((each) => each.matched).length
      context.printNote(`${matched} of ${results.length} events match; deliveries considered: ${considered}.`)
      const now = Date.now()
      const rows = results.map(({ trace, ...each }) => {
        const failed = trace.conditions.find(({ condition }) => condition === trace.first_failed)
        return [
          each.delivery_id,
          ago(each.received_at, now),
          `${each.event_kind} ${each.action}`,
          each.repository,
          each.ref ?? '',
          { text: trace.outcome, tone: toneOf(trace.outcome) },
          failed?.condition ?? '',
          failed?.expected ?? '',
          failed?.seen ?? trace.reason ?? '',
        ]
      })
      return context.printTable(
        ['delivery', 'received', 'event', 'repository', 'ref', 'outcome', 'condition', 'expected', 'seen'],
        rows,
      )
    })
}

async function readStored(client: Client, given: string) {
  return client.call(triggerRoutes.getTrigger, { params: { id: await resolveTrigger(client, given) } })
}
