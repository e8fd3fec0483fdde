import { signInRoutes } from '@signalbox/contracts/identities/routes'
import type { Command } from 'commander'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { printItems } from './listing.ts'
import { idOf, type Resource } from './resource.ts'

/** The accounts at providers of OpenID Connect by which a user signs in to the page. */
export function identityCommands(context: Context, users: Resource): Command[] {
  return [
    apiCommand('identities', 'list the accounts at providers by which a user signs in to the page')
      .argument('<user>', users.named)
      .action(async (given: string, options: ApiOptions) => {
        const client = context.connect(options)
        const params = { id: await idOf(client, users, given) }
        const identities = await client.call(signInRoutes.listIdentities, { params })
        if (options.json) return context.printJson(identities)
        return printItems(context, identities, [
          ['provider', ({ provider, issuer }) => provider ?? issuer],
          ['subject', ({ subject }) => subject],
          ['last sign-in', ({ last_sign_in_at: at }, now) => (at === null ? 'never' : ago(at, now))],
          ['id', ({ id }) => id],
        ])
      }),
    apiCommand('link', 'let a user sign in by an account at a provider')
      .argument('<user>', users.named)
      .argument('<provider>', 'id of the provider, as in `sign_in_providers`; or git:github for commands in comments')
      .argument(
        '<subject>',
        "the account's unchanging name at the provider, its `sub`, or its number at git:github; never an e-mail address",
      )
      .action(async (given: string, provider: string, subject: string, options: ApiOptions) => {
        const client = context.connect(options)
        const params = { id: await idOf(client, users, given) }
        const identity = await client.call(signInRoutes.createIdentity, { params, body: { provider, subject } })
        if (options.json) return context.printJson(identity)
        if (provider.startsWith('git:')) {
          return context.printNote(`Comments of ${subject} at ${provider} count as those of ${given} from now on.`)
        }
        return context.printNote(`${given} signs in by ${provider} as ${subject} from now on.`)
      }),
    apiCommand('unlink', 'take an account at a provider from a user, and end the sessions of that user')
      .argument('<user>', users.named)
      .argument('<identity>', 'id, as `signalbox user identities` shows it')
      .action(async (given: string, identity_id: string, options: ApiOptions) => {
        const client = context.connect(options)
        const params = { id: await idOf(client, users, given), identity_id }
        await client.call(signInRoutes.deleteIdentity, { params })
        if (options.json) return context.printJson({ user: given, unlinked: identity_id })
        return context.printNote(`${given} no longer signs in by this account.`)
      }),
  ]
}
