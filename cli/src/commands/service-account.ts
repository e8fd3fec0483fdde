import type { Grant, ServiceAccount } from '@signalbox/contracts/access'
import { grantRoutes, serviceAccountRoutes, tokenRoutes } from '@signalbox/contracts/access/routes'
import { type Command, Option } from 'commander'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { disabledCell, listCommand } from './listing.ts'
import { readMoment, splitName } from './parse-arguments.ts'
import { changeOf, deleteOf, lookUpBy, showOf } from './resource.ts'

const ROLES = ['viewer', 'operator', 'editor', 'owner'] as const satisfies readonly Grant['role'][]

export const serviceAccounts = {
  noun: 'service account',
  named: '<team path>/<name>, or id',
  lookUp: lookUpBy(serviceAccountRoutes.listServiceAccounts, identifierOf),
  get: serviceAccountRoutes.getServiceAccount,
  change: serviceAccountRoutes.updateServiceAccount,
  delete: serviceAccountRoutes.deleteServiceAccount,
}

export function identifierOf({ team_path, name }: ServiceAccount): string {
  return `${team_path}/${name}`
}

export function serviceAccountCommand(context: Context): Command {
  return group('service-account', 'service accounts for programs, such as CI and agents', [
    listCommand(context, {
      description: 'list the service accounts that you may see',
      operation: serviceAccountRoutes.listServiceAccounts,
      columns: [
        ['account', identifierOf],
        ['id', ({ id }) => id],
        ['created', ({ created_at }, now) => ago(created_at, now)],
        ['', disabledCell],
      ],
    }),
    showOf(context, serviceAccounts, 'show a service account', (found, now) => [
      ['account', identifierOf(found)],
      ['id', found.id],
      ['state', found.disabled ? { text: 'disabled', tone: 'warn' } : 'enabled'],
      ['created', ago(found.created_at, now)],
    ]),
    createCommand(context),
    changeOf(context, serviceAccounts, {
      name: 'disable',
      description: 'disable a service account: its tokens are refused until it is enabled',
      body: () => ({ disabled: true }),
      done: (found) => `The service account ${identifierOf(found)} is disabled.`,
    }),
    changeOf(context, serviceAccounts, {
      name: 'enable',
      description: 'enable a service account: its tokens work again',
      body: () => ({ disabled: false }),
      done: (found) => `The service account ${identifierOf(found)} is enabled.`,
    }),
    deleteOf(
      context,
      serviceAccounts,
      'delete a service account, its tokens and its grants',
      'The tokens and grants of the account are deleted too.',
    ),
  ])
}

/** The account, its role and a token at once: what a program needs, and nothing less is of use to it. */
function createCommand(context: Context): Command {
  return apiCommand('create', 'create a service account with a role in its team and a token; print the token once')
    .argument('<account>', '<team path>/<name>, such as acme/web/ci')
    .addOption(new Option('--role <role>', 'role of the account in its team').choices(ROLES).default('operator'))
    .option('--expires <time>', 'when the token ends, such as 2027-01-01T00:00:00Z', readMoment)
    .action(async (identifier: string, options: ApiOptions & { role: (typeof ROLES)[number]; expires?: string }) => {
      const [teamPath, name] = splitName(identifier, '<team path>/<name>, such as acme/web/ci')
      const client = context.connect(options)
      const account = await client.call(serviceAccountRoutes.createServiceAccount, {
        body: { team_path: teamPath, name },
      })
      const subject = `service_account:${account.id}`
      await client.call(grantRoutes.createGrant, { body: { subject, role: options.role, team_path: teamPath } })
      const made = await client.call(tokenRoutes.createToken, {
        body: { name, service_account_id: account.id, expires_at: options.expires },
      })
      if (options.json) return context.printJson(made)
      context.printLine(made.token)
      return context.printNote(`${identifier} is ${options.role} of ${teamPath}. The token is shown this once.`)
    })
}
