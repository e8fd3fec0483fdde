import type { Command } from 'commander'
import { whoAmI } from '../client/access-answers.ts'
import { anything, list, text } from '../client/shape.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, printFields, printJson } from './context.ts'

export function whoamiCommand(context: Context): Command {
  return apiCommand('whoami', 'who the token in use stands for, and where it may do something').action(
    async (options: ApiOptions) => {
      const client = clientOf(context, options)
      const answer = await client.get('/v1/auth/me', anything)
      if (options.json) return printJson(context, answer)
      const me = whoAmI(answer, 'me')
      const { administrator, permissions } = me.capabilities
      const granted = Object.entries(typeof permissions === 'object' && permissions !== null ? permissions : {})
      // An administrator may do everything everywhere.
      const places = administrator ? [] : granted.toSorted(([left], [right]) => (left < right ? -1 : 1))
      return printFields(context, [
        ['signed in as', `${me.kind}:${me.name}`],
        ['at', client.url],
        ['id', me.id],
        ['name', me.display_name ?? undefined],
        ['email', me.email ?? undefined],
        ['groups', me.groups.map(({ name }) => name).join(', ')],
        ['administrator', administrator ? 'yes' : 'no'],
        ...places.map(([path, held]) => [`may at ${path}`, list(text)(held, path).join(', ')] as const),
      ])
    },
  )
}
