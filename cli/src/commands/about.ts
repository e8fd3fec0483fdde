import { aboutRoutes } from '@signalbox/contracts/about/routes'
import type { Command } from 'commander'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'

/** `about`: the version of the control plane, and for administrators what it stands on. */
export function aboutCommand(context: Context): Command {
  return apiCommand('about', 'show the version of the control plane, and what it stands on').action(
    async (options: ApiOptions) => {
      const client = context.connect(options)
      const found = await client.call(aboutRoutes.getAbout)
      if (options.json) return context.printJson(found)
      const { system } = found
      return context.printFields([
        ['at', client.url],
        ['version', found.version],
        ['page', found.page_version ?? 'not built'],
        ['installation', system?.installation],
        ['started', system ? ago(system.started_at, Date.parse(system.now)) : undefined],
        ['roles', system?.roles.join(', ')],
        ['node', system?.node_version],
        ['platform', system?.platform],
        ['postgresql', system?.database.version ?? undefined],
        ['database', system?.database.place],
        ['objects', system?.features.object_store],
      ])
    },
  )
}
