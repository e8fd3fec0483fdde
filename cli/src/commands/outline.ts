import type { Command } from 'commander'

/** A command as completion and the documentation see it. */
export interface CommandOutline {
  /** Words after `signalbox`: ['run', 'list']; empty for signalbox itself. */
  readonly words: readonly string[]
  readonly usage: string
  readonly description: string
  readonly arguments: readonly {
    readonly name: string
    readonly description: string
    readonly choices: readonly string[]
  }[]
  readonly options: readonly {
    readonly flags: string
    readonly names: readonly string[]
    readonly description: string
    readonly takesValue: boolean
  }[]
  readonly commands: readonly CommandOutline[]
}

/** The tree below a command, without the `help` that commander adds. */
export function outlineOf(command: Command, words: readonly string[] = []): CommandOutline {
  return {
    words,
    usage: `signalbox ${[...words, command.usage()].join(' ')}`,
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      description: argument.description,
      choices: argument.argChoices ?? [],
    })),
    options: command.options
      .filter(({ hidden }) => !hidden)
      .map((option) => ({
        flags: option.flags,
        names: [option.short, option.long].filter((name) => typeof name === 'string'),
        description: option.description,
        takesValue: option.required || option.optional,
      })),
    commands: command.commands.map((child) => outlineOf(child, [...words, child.name()])),
  }
}

/** Every command that does something by itself, in the order of the tree. */
export function leavesOf(outline: CommandOutline): CommandOutline[] {
  return outline.commands.length === 0 ? [outline] : outline.commands.flatMap(leavesOf)
}
