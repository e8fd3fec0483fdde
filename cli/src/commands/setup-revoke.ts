import { identityRoutes } from '@signalbox/contracts/access/routes'
import type { Command } from 'commander'
import { Client } from '../client/client.ts'
import { findConnection, tokenOfProfile } from '../config/connection.ts'
import { CommandFailed } from '../errors.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { listOwnedByBootstrap, takeOver } from './setup-owned.ts'

interface RevokeOptions extends ApiOptions {
  readonly takeOver?: boolean
  readonly force?: boolean
}

/** How many of its possessions are named. */
const NAMED = 20

/** What the token owns starts nothing from then on, so it is revoked once it owns nothing, or where somebody insists. */
export function revokeCommand(context: Context): Command {
  return apiCommand('revoke-bootstrap', 'revoke the bootstrap token for good; needs an administrator')
    .option('--take-over', 'own first what the token owns, so that it goes on starting runs')
    .option('--force', 'revoke it although triggers, schedules and the like are its own, and start nothing then')
    .action(async (options: RevokeOptions) => {
      const client = connectAsAdministrator(context, options)
      const { kind } = await client.call(identityRoutes.getMe)
      if (kind === 'bootstrap') {
        const remedy =
          'Sign in as an administrator with `signalbox login`, or make one: `signalbox setup administrator`.'
        throw new CommandFailed('refused', 'The bootstrap token does not revoke itself.', remedy)
      }
      const { valid } = await client.call(identityRoutes.getBootstrap)
      // Revoked earlier, it left behind what only somebody else can bring back to life.
      if (valid || options.takeOver) await settleOwned(context, client, options)
      if (!valid && options.takeOver) return context.printNote('The bootstrap token was revoked before.')
      await client.call(identityRoutes.revokeBootstrap)
      context.printNote('The bootstrap token is revoked. Nobody can use it any more, also where it is configured.')
    })
}

/** A local instance is spoken to by the bootstrap token, which does not revoke itself. */
function connectAsAdministrator(context: Context, options: ApiOptions): Client {
  const { surroundings } = context
  const connection = findConnection(surroundings, options.url === undefined ? {} : { url: options.url })
  const own = connection && (surroundings.env['SIGNALBOX_TOKEN'] || tokenOfProfile(surroundings, connection.url))
  return connection && own ? new Client({ ...connection, token: own }) : context.connect(options)
}

/** Throws CommandFailed where something would be left without an owner, unless that is wanted. */
async function settleOwned(context: Context, client: Client, options: RevokeOptions): Promise<void> {
  const owned = await listOwnedByBootstrap(client)
  const left = options.takeOver ? await takeOver(owned) : owned.map(({ title }) => title)
  const taken = owned.length - left.length
  if (taken > 0) context.printNote(`You own ${taken} of the ${owned.length} that the bootstrap token owned.`)
  if (left.length === 0) return
  const more = left.length > NAMED ? [`and ${left.length - NAMED} more`] : []
  context.printNote('The bootstrap token owns these, which start nothing once it is revoked:', 'warn')
  for (const line of [...left.slice(0, NAMED), ...more]) context.printNote(`  ${line}`, 'warn')
  if (options.force) return
  throw new CommandFailed(
    'refused',
    `The bootstrap token is not revoked: ${left.length} that start runs on its behalf would start nothing any more.`,
    options.takeOver
      ? 'Mend or delete what could not be taken over, and repeat the command; --force revokes the token all the same.'
      : '--take-over makes you their owner first; --force revokes the token all the same.',
  )
}
