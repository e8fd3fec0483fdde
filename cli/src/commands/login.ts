import { identityRoutes } from '@signalbox/contracts/access/routes'
import { Command } from 'commander'
import { Client } from '../client/client.ts'
import { readAddress } from '../config/connection.ts'
import { profilePath, removeProfile, storeProfile } from '../config/profile.ts'
import { CommandFailed } from '../errors.ts'
import type { Context } from './context.ts'

interface LoginOptions {
  readonly url: string
  readonly token?: string
  readonly tokenStdin?: boolean
}

/** `login`: proves a token against the API before it is kept. */
export function loginCommand(context: Context): Command {
  return new Command('login')
    .description('store the address of a control plane and a token for it')
    .requiredOption('--url <address>', 'address of the control plane')
    .option('--token-stdin', 'read the token from the standard input')
    .option('--token <token>', 'the token; other users of this machine may see it while the command runs')
    .action(async (options: LoginOptions) => {
      const url = readAddress(options.url)
      const token = await readToken(context, options)
      await new Client({ url, token }).call(identityRoutes.getMe)
      const path = profilePath(context.surroundings)
      storeProfile(path, { url, token })
      context.printNote(`Signed in to ${url}. The token is kept in ${path}, for you alone.`)
    })
}

export function logoutCommand(context: Context): Command {
  return new Command('logout')
    .description('forget the stored address and token (the token stays valid: see `token revoke`)')
    .action(() => {
      const path = profilePath(context.surroundings)
      context.printNote(removeProfile(path) ? `Removed ${path}.` : 'Nobody was signed in.')
    })
}

async function readToken({ surroundings }: Context, options: LoginOptions): Promise<string> {
  if (options.token !== undefined && options.tokenStdin) {
    throw new CommandFailed('usage', 'Give --token or --token-stdin, not both.')
  }
  const given = options.tokenStdin ? await surroundings.readStdin() : options.token
  const token = (given ?? surroundings.env['SIGNALBOX_TOKEN'] ?? '').trim()
  if (token === '')
    throw new CommandFailed(
      'usage',
      'No token was given.',
      'Pipe it in: `signalbox login --url ... --token-stdin < token`.',
    )
  return token
}
