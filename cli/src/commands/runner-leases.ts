import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import type { Command } from 'commander'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { idOf, type Resource } from './resource.ts'

/** `runner leases`: the tasks that a runner has in hand. */
export function leasesCommand(context: Context, runners: Resource): Command {
  return apiCommand('leases', 'list the tasks that a runner has in hand')
    .argument('<runner>', runners.named)
    .action(async (given: string, options: ApiOptions) => {
      const client = context.connect(options)
      const params = { id: await idOf(client, runners, given) }
      const found = await client.call(dispatchRoutes.listLeases, { params })
      if (options.json) return context.printJson(found)
      const { leases, hidden } = found
      if (leases.length + hidden === 0) return context.printNote(`The runner ${given} has no task in hand.`)
      const now = Date.now()
      context.printTable(
        ['run', 'pipeline', 'scope', 'step', 'task', 'attempt', 'since'],
        leases.map((each) => [
          each.run_id,
          each.pipeline,
          each.scope,
          each.step,
          each.task,
          String(each.attempt),
          ago(each.leased_at, now),
        ]),
      )
      if (hidden > 0) context.printNote(`Tasks of runs that you may not see: ${hidden}.`)
      return undefined
    })
}
