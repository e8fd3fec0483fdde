import { aboutRoutes } from '@signalbox/contracts/about/routes'
import type { Command } from 'commander'
import { CommandFailed } from '../errors.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { printItems } from './listing.ts'

/** `settings`: the configuration in force at the control plane; `config` is that of a server started here. */
export function settingsCommand(context: Context): Command {
  return apiCommand('settings', 'list the configuration in force at the control plane')
    .argument('[key]', 'only options whose name begins with this, with their complete meaning')
    .action(async (key: string | undefined, options: ApiOptions) => {
      const found = await context.connect(options).call(aboutRoutes.listSettings)
      const settings = found.filter(({ name }) => key === undefined || name.startsWith(key.toLowerCase()))
      if (settings.length === 0) throw new CommandFailed('notFound', `No option's name begins with "${key}".`)
      if (options.json) return context.printJson(settings)
      return printItems(context, settings, [
        ['key', ({ name }) => name],
        ['value', ({ value }) => value ?? '-'],
        ['origin', ({ origin }) => origin],
        ...(key === undefined ? [] : ([['meaning', ({ text }: { readonly text: string }) => text]] as const)),
      ])
    })
}
