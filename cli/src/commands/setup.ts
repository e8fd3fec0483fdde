import { setupRoutes } from '@signalbox/contracts/setup/routes'
import type { Command } from 'commander'
import { profilePath, storeProfile } from '../config/profile.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { readPassword } from './password.ts'
import { revokeCommand } from './setup-revoke.ts'

export function setupCommand(context: Context): Command {
  return group('setup', 'create the first administrator, and revoke the bootstrap token', [
    administratorCommand(context),
    revokeCommand(context),
  ])
}

interface AdministratorOptions extends ApiOptions {
  readonly name?: string
  readonly email?: string
  readonly passwordStdin?: boolean
}

/** The bootstrap token creates the user, who is signed in at once: a person does the next steps. */
function administratorCommand(context: Context): Command {
  return apiCommand(
    'administrator',
    'create the first administrator with the bootstrap token, and sign in as that user',
  )
    .argument('<login>', 'their login, such as ada')
    .option('--name <name>', 'their name')
    .option('--email <address>', 'their e-mail address')
    .option('--password-stdin', 'read a password for them from the standard input; the web page asks for it')
    .action(async (login: string, options: AdministratorOptions) => {
      const client = context.connect(options)
      const password = options.passwordStdin ? await readPassword(context) : undefined
      const { name, email } = options
      const body = { login, name, email, password, token_name: 'signalbox setup' }
      const made = await client.call(setupRoutes.createAdministrator, { body })
      const { token, advice } = made
      const path = profilePath(context.surroundings)
      if (token !== null) storeProfile(path, { url: client.url, token })
      if (options.json) return context.printJson(made)
      context.printNote(
        `${login} is administrator of ${client.url}. The token of ${login} is kept in ${path}, for you alone.`,
      )
      if (password === undefined) {
        const command = `printf %s "$PASSWORD" | signalbox user update ${login} --password-stdin`
        context.printNote(`${login} has no password, which the web page asks for. To set one: \`${command}\`.`)
      }
      for (const { message, remedy } of advice) context.printNote(`${message} ${remedy}`)
    })
}
