import { searchRoutes } from '@signalbox/contracts/search/routes'
import type { Command } from 'commander'
import { type ApiOptions, apiCommand, type Context } from './context.ts'

/** `find`: what something that was pasted means here, the best first. */
export function findCommand(context: Context): Command {
  return apiCommand('find', 'say what a name, id, address, commit, owner/name, branch or pull request means here')
    .argument('<anything...>', 'such as acme/shop#12, 1a2b3c4, or the address of a page')
    .action(async (words: readonly string[], options: ApiOptions) => {
      const query = { q: words.join(' ') }
      const { found } = await context.connect(options).call(searchRoutes.find, { query })
      if (options.json) return context.printJson(found)
      return context.printTable(
        ['kind', 'name', 'team', 'why', '', 'id'],
        found.map(({ kind, name, team_path: team, why, told, id }) => [
          kind,
          name ?? '',
          team ?? '',
          why,
          told ?? '',
          id,
        ]),
      )
    })
}
