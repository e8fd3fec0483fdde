import { type Command, Option } from 'commander'
import { CommandFailed } from '../errors.ts'

/** The options of every command that speaks to the API. */
export interface ApiOptions {
  readonly json?: boolean
  readonly url?: string
  readonly tokenFile?: string
}

export function apiOptions(): Option[] {
  return [
    new Option('--json', 'print the answer of the API as JSON'),
    new Option(
      '--url <address>',
      'address of the control plane (default: SIGNALBOX_URL, a local instance, the profile)',
    ),
    new Option(
      '--token-file <file>',
      'file that holds the token, for you alone (default: SIGNALBOX_TOKEN, the profile)',
    ),
  ]
}

/**
 * A command with others below it takes their options too: `signalbox --url ... run list` is
 * `signalbox run list --url ...`. The option nearest to the last word wins.
 */
export function takeApiOptions(parent: Command): Command {
  for (const option of apiOptions()) parent.addOption(option.hideHelp(parent.name() !== 'signalbox'))
  return handDown(parent)
}

/** Hands the options of the commands above to the command that acts. */
export function handDown(parent: Command): Command {
  return parent.enablePositionalOptions().hook('preSubcommand', (_above, below) => {
    if (below.commands.length > 0) return
    for (const option of apiOptions()) {
      const given = valueAbove(below, option.attributeName())
      if (given === undefined) continue
      if (!below.options.some(({ long }) => long === option.long)) {
        throw new CommandFailed('usage', `\`signalbox ${below.name()}\` takes no ${option.long}.`)
      }
      below.setOptionValueWithSource(option.attributeName(), given, 'cli')
    }
  })
}

function valueAbove({ parent }: Command, key: string): unknown {
  return parent === null ? undefined : (parent.getOptionValue(key) ?? valueAbove(parent, key))
}
