import { Command } from 'commander'
import { CommandFailed } from '../errors.ts'
import { readServerSettings, type Setting } from '../processes/server-settings.ts'
import type { Context } from './context.ts'

/** `config`: every option of the control plane as a server started here would read it. */
export function configCommand(context: Context): Command {
  return new Command('config')
    .description('list the options of the control plane: value, origin, default and meaning')
    .option('--json', 'print as JSON')
    .argument('[key]', 'only options whose name begins with this, with their complete meaning')
    .action(async (key: string | undefined, options: { json?: boolean }) => {
      const settings = (await readServerSettings(context.surroundings)).filter(
        ({ name }) => key === undefined || name.startsWith(key.toLowerCase()),
      )
      if (settings.length === 0) throw new CommandFailed('notFound', `No option's name begins with "${key}".`)
      if (options.json) context.printJson(settings)
      else
        context.printTable(
          ['key', 'value', 'origin', 'default', 'meaning'],
          settings.map((each) => row(context, each, key !== undefined)),
        )
    })
}

function row(context: Context, { name, value, origin, default: standard, text }: Setting, whole: boolean) {
  const { isTerminal, columns } = context.surroundings.out
  return [
    { text: name, tone: 'strong' as const },
    { text: show(value), tone: origin === 'default' || origin === 'unset' ? ('plain' as const) : ('accent' as const) },
    origin,
    show(standard),
    isTerminal && !whole ? shorten(text, Math.max(30, columns - 90)) : text,
  ]
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.map(show).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function shorten(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text
}
