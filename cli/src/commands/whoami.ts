import { identityRoutes } from '@signalbox/contracts/access/routes'
import type { Command } from 'commander'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { describeLimits } from './token-limits.ts'

export function whoamiCommand(context: Context): Command {
  return apiCommand('whoami', 'show whom the token stands for, and its permissions').action(
    async (options: ApiOptions) => {
      const client = context.connect(options)
      const me = await client.call(identityRoutes.getMe)
      if (options.json) return context.printJson(me)
      const { administrator, permissions } = me.capabilities
      // An administrator may do everything everywhere.
      const places = administrator
        ? []
        : Object.entries(permissions).toSorted(([left], [right]) => (left < right ? -1 : 1))
      return context.printFields([
        ['signed in as', `${me.kind}:${me.name}`],
        ['at', client.url],
        ['id', me.id],
        ['name', me.display_name ?? undefined],
        ['email', me.email ?? undefined],
        ['groups', me.groups.map(({ name }) => name).join(', ')],
        ['token limited to', me.token === null ? undefined : describeLimits(me.token) || undefined],
        ['administrator', administrator ? 'yes' : 'no'],
        ...places.map(([path, held]) => [`may at ${path}`, held.join(', ')] as const),
      ])
    },
  )
}
