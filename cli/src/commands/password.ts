import { CommandFailed } from '../errors.ts'
import type { Context } from './context.ts'

/** From the standard input: an argument could be seen by others on the machine. As it was typed, but for the end of its line. */
export async function readPassword(context: Context): Promise<string> {
  if (context.surroundings.stdinIsTerminal) context.printNote('Type the password, then Enter and Ctrl-D.')
  const password = (await context.surroundings.readStdin()).replace(/\r?\n$/, '')
  if (password === '') throw new CommandFailed('usage', 'The standard input is empty: no password was given.')
  return password
}
