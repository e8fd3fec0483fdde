import type { Command } from 'commander'
import { CommandFailed } from '../errors.ts'
import type { ApiOptions, Context } from './context.ts'
import { apiCommand } from './context.ts'

export interface ConfirmOptions extends ApiOptions {
  readonly yes?: boolean
}

/** A command whose work cannot be undone: it asks a person first, and a program has to say --yes. */
export function confirmedCommand(name: string, description: string): Command {
  return apiCommand(name, description).option('-y, --yes', 'do not ask for confirmation; needed without a terminal')
}

/**
 * Asks whether to do it, such as "Delete the user alice"; throws CommandFailed unless the person says yes. `loss` is a
 * sentence about the things deleted with it.
 */
export async function confirm(context: Context, deed: string, options: ConfirmOptions, loss?: string): Promise<void> {
  if (options.yes) return
  const { surroundings } = context
  if (!surroundings.stdinIsTerminal) {
    throw new CommandFailed('usage', `${deed}? Nobody can be asked here, so nothing was done.`, 'Say --yes to do it.')
  }
  if (loss !== undefined) context.printNote(loss)
  context.printNote(`${deed}? Type yes to do it:`)
  const answer = (await surroundings.readLine()).trim().toLowerCase()
  if (answer !== 'yes' && answer !== 'y') throw new CommandFailed('usage', 'Nothing was done.')
}
