import { Command } from 'commander'
import { EXIT_CODES } from '../exit-codes.ts'
import type { Context } from './context.ts'

/** `help exit-codes`, and the help of any command by its words. */
export function helpCommand(context: Context): Command {
  return new Command('help')
    .description('help on a command, or on exit-codes')
    .argument('[words...]', 'a command such as `run logs`, or exit-codes')
    .action((words: readonly string[], _options: unknown, command: Command) => {
      if (words[0] === 'exit-codes') return printExitCodes(context)
      let found = command.parent ?? command
      for (const word of words) found = found.commands.find((child) => child.name() === word) ?? found
      return context.printLine(found.helpInformation().trimEnd())
    })
}

function printExitCodes(context: Context): void {
  const rows = Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning])
  context.printTable(['code', 'meaning'], rows)
}
