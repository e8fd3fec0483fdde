import type { Recovery } from '@signalbox/contracts/recovery'
import { recoveryRoutes } from '@signalbox/contracts/recovery/routes'
import type { Command } from 'commander'
import { ago } from '../output/durations.ts'
import type { Tone } from '../output/style.ts'
import { apiCommand, type Context } from './context.ts'
import { type Columns, type ListOptions, printList, withLimit } from './listing.ts'
import { resolveSource } from './source-lookup.ts'

export function recoveriesCommand(context: Context): Command {
  return withLimit(apiCommand('recoveries', 'list the deliveries that were missed, and what became of each'), 20)
    .argument('<source>', 'name or id')
    .option('--look', "look into the provider's log, or at its heads, at once")
    .action(async (given: string, options: ListOptions & { readonly look?: boolean }) => {
      const client = context.connect(options)
      const params = { sourceID: await resolveSource(client, given) }
      if (!options.look) {
        return printList(
          context,
          client,
          { operation: recoveryRoutes.listRecoveries, params, columns: COLUMNS },
          options,
        )
      }
      const found = await client.call(recoveryRoutes.lookForMissed, { params })
      if (options.json) return context.printJson(found)
      context.printFields([
        ['last look', ago(found.looked_at, Date.now()) || 'never'],
        ['missing', String(found.missing)],
        ['recovered in 7 days', String(found.recovered_7_days)],
        ['', found.reason ?? 'The log, or the heads of branches and pull requests, are looked at now.'],
      ])
    })
}

const TONES: Readonly<Record<Recovery['state'], Tone>> = { missing: 'warn', recovered: 'good', given_up: 'bad' }

const COLUMNS: Columns<Recovery> = [
  ['id', ({ id }) => id],
  ['missed', ({ missed_at }, now) => ago(missed_at, now)],
  ['event', ({ event_type }) => event_type],
  ['repository', ({ repository }) => repository ?? ''],
  ['kind', ({ kind }) => kind],
  ['ref', ({ ref }) => ref ?? ''],
  ['head', ({ head_sha }) => head_sha?.slice(0, 12) ?? ''],
  ['state', ({ state }) => ({ text: state, tone: TONES[state] })],
  ['recovered', ({ recovered_at }, now) => ago(recovered_at, now)],
  ['tries', ({ tries }) => String(tries)],
  ['event id', ({ event_id }) => event_id ?? ''],
  ['reason', (each) => each.given_up_reason ?? ''],
]
