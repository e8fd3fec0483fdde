import { userRoutes } from '@signalbox/contracts/access/routes'
import { type Command, Option } from 'commander'
import { ago } from '../output/durations.ts'
import { type ApiOptions, type Context, group } from './context.ts'
import { disabledCell, listCommand } from './listing.ts'
import { readPassword } from './password.ts'
import { changeOf, createOf, deleteOf, lookUpBy, showOf } from './resource.ts'
import { identityCommands } from './user-identities.ts'

export const users = {
  noun: 'user',
  named: 'login or id',
  lookUp: lookUpBy(userRoutes.listUsers, ({ login }) => login),
  create: userRoutes.createUser,
  get: userRoutes.getUser,
  change: userRoutes.updateUser,
  delete: userRoutes.deleteUser,
}

export function userCommand(context: Context): Command {
  return group('user', 'users: people who may sign in', [
    listCommand(context, {
      description: 'list the users of this installation',
      operation: userRoutes.listUsers,
      columns: [
        ['login', ({ login }) => login],
        ['name', ({ name }) => name],
        ['email', ({ email }) => email ?? ''],
        ['created', ({ created_at }, now) => ago(created_at, now)],
        ['', disabledCell],
      ],
    }),
    showOf(context, users, 'show a user', (found, now) => [
      ['login', found.login],
      ['id', found.id],
      ['name', found.name],
      ['email', found.email ?? undefined],
      ['password', found.has_password ? 'set' : 'none'],
      ['state', found.disabled ? { text: 'disabled', tone: 'warn' } : 'enabled'],
      ['created', ago(found.created_at, now)],
    ]),
    createOf(context, users, {
      description: 'create a user; a grant gives permissions, a token gives access to the API',
      argument: 'login, such as alice',
      options: userOptions(),
      body: async (login, options: UserOptions) => ({ login, ...(await bodyOf(context, options)) }),
      done: ({ login }) =>
        `The user ${login} is created. \`signalbox grant create user:${login} <role> <team>\` is next.`,
    }),
    changeOf(context, users, {
      name: 'update',
      description: 'change the given fields of a user',
      options: userOptions(),
      body: (options: UserOptions) => bodyOf(context, options),
      done: ({ login }) => `The user ${login} is changed.`,
    }),
    changeOf(context, users, {
      name: 'disable',
      description: 'disable a user: tokens and password are refused until the user is enabled',
      body: () => ({ disabled: true }),
      done: ({ login }) => `The user ${login} is disabled.`,
    }),
    changeOf(context, users, {
      name: 'enable',
      description: 'enable a user: tokens and password work again',
      body: () => ({ disabled: false }),
      done: ({ login }) => `The user ${login} is enabled.`,
    }),
    ...identityCommands(context, users),
    deleteOf(
      context,
      users,
      'delete a user, the tokens and the grants of that user; audit records stay',
      'The tokens and grants of the user are deleted too.',
    ),
  ])
}

interface UserOptions extends ApiOptions {
  readonly name?: string
  readonly email?: string
  readonly passwordStdin?: boolean
}

function userOptions(): Option[] {
  return [
    new Option('--name <name>', 'name that people see'),
    new Option('--email <address>', 'e-mail address; "" removes it'),
    new Option('--password-stdin', 'read a password of at least 12 characters from the standard input'),
  ]
}

async function bodyOf(context: Context, { name, email, passwordStdin }: UserOptions) {
  return {
    name,
    email: email === '' ? null : email,
    password: passwordStdin ? await readPassword(context) : undefined,
  }
}
