import { deliveryRoutes } from '@signalbox/contracts/sources/routes'
import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import type { RequestOf } from '../client/operations.ts'
import { CommandFailed } from '../errors.ts'
import { toneOf } from '../output/style.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { readBatchLimit, readMoment } from './parse-arguments.ts'
import { type DeliveryFilter, filterOf, printTriggers, withFilter } from './source-deliveries.ts'
import { resolveSource } from './source-lookup.ts'

interface ReplayOptions extends ApiOptions, DeliveryFilter {
  readonly until?: string
  readonly limit?: number
  readonly dryRun?: boolean
}

export function replayCommand(context: Context): Command {
  return withFilter(apiCommand('replay', 'process stored deliveries again with the present triggers, oldest first'))
    .argument('<source>', 'name or id')
    .argument('[deliveries...]', 'ids of deliveries (default: the newest that match the options)')
    .option('--until <time>', 'received before this time', readMoment)
    .option('--limit <n>', 'the largest number of deliveries, up to 500 (default: 50)', readBatchLimit)
    .option('--dry-run', 'only show what would start')
    .action(async (given: string, deliveries: readonly string[], options: ReplayOptions) => {
      const filter = { ...filterOf(options), until: options.until, limit: options.limit }
      const narrowed = Object.entries(filter).filter(([, value]) => value !== undefined)
      if (deliveries.length > 0 && narrowed.length > 0) {
        throw new CommandFailed('usage', 'Name deliveries, or say by options which: not both.')
      }
      const client = context.connect(options)
      const sourceID = await resolveSource(client, given)
      const [deliveryID] = deliveries
      if (deliveryID !== undefined && deliveries.length === 1) {
        return replayOne(context, client, { sourceID, deliveryID }, options)
      }
      const which = deliveries.length > 0 ? { delivery_ids: deliveries } : filter
      const body = { ...which, dry_run: options.dryRun ?? false }
      return replayMany(context, client, { params: { sourceID }, body }, options)
    })
}

async function replayOne(
  context: Context,
  client: Client,
  params: { readonly sourceID: string; readonly deliveryID: string },
  options: ReplayOptions,
): Promise<void> {
  const query = options.dryRun ? { dry_run: true } : {}
  const made = await client.call(deliveryRoutes.replayDelivery, { params, query })
  if (options.json) return context.printJson(made)
  context.printFields([
    ['delivery', made.delivery_id ?? 'none: nothing is stored and nothing starts'],
    ['replay of', made.replay_of],
    ['result', { text: made.result, tone: toneOf(made.result) }],
    ['reason', made.reason],
  ])
  return printTriggers(context, made.trace)
}

async function replayMany(
  context: Context,
  client: Client,
  request: RequestOf<typeof deliveryRoutes.replayDeliveries>,
  options: ReplayOptions,
): Promise<void> {
  const batch = await client.call(deliveryRoutes.replayDeliveries, request)
  if (options.json) return context.printJson(batch)
  const { replays, skipped } = batch
  const rows = replays.map((each) => [
    each.replay_of,
    each.delivery_id ?? '',
    { text: each.result, tone: toneOf(each.result) },
    String(each.run_ids.length),
    each.reason,
  ])
  context.printTable(['replay of', 'delivery', 'result', 'runs', 'reason'], rows)
  for (const { delivery_id: id, reason } of skipped) context.printNote(`Skipped ${id}: ${reason}`)
}
