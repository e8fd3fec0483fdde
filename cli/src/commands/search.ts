import { searchRoutes } from '@signalbox/contracts/search/routes'
import type { Command } from 'commander'
import { type ApiOptions, apiCommand, type Context } from './context.ts'

interface SearchOptions extends ApiOptions {
  readonly kind?: string
  readonly team?: string
}

/** `search`: what is called so, the closest first. */
export function searchCommand(context: Context): Command {
  return apiCommand('search', 'look for things by name, and for runs by the first digits of their id or commit')
    .argument('<words...>', 'parts of the name or of its path')
    .option('--kind <kinds>', 'only these kinds, such as pipeline,run')
    .option('--team <team>', 'path or id: only of this team and the teams below it')
    .action(async (words: readonly string[], { kind, team, ...options }: SearchOptions) => {
      const query = { q: words.join(' '), kinds: kind, teamId: team }
      const { hits } = await context.connect(options).call(searchRoutes.search, { query })
      if (options.json) return context.printJson(hits)
      return context.printTable(
        ['kind', 'name', 'team', '', 'id'],
        hits.map((hit) => [hit.kind, hit.title, hit.where ?? '', hit.detail ?? '', hit.id]),
      )
    })
}
