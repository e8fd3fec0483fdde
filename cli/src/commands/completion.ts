import { Argument, Command } from 'commander'
import type { Context } from './context.ts'
import { outlineOf } from './outline.ts'
import { renderCompletion, SHELLS } from './render-completion.ts'

/** `completion`: a script for the shell, made of the command tree. */
export function completionCommand(context: Context): Command {
  return new Command('completion')
    .description('a completion script for your shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText(
      'after',
      '\nbash: source <(signalbox completion bash)\nzsh:  source <(signalbox completion zsh)\nfish: signalbox completion fish | source',
    )
    .action((shell: string, _options: unknown, command: Command) => {
      const known = SHELLS.find((each) => each === shell)
      if (known && command.parent) context.printLine(renderCompletion(known, outlineOf(command.parent)))
    })
}
