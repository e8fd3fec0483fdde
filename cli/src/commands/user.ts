import { userRoutes } from '@signalbox/contracts/access/routes'
import { type Command, Option } from 'commander'
import { CommandFailed } from '../errors.ts'
import { ago } from '../output/durations.ts'
import { type ApiOptions, type Context, group, printNote } from './context.ts'
import { disabledCell, listCommand } from './listing.ts'
import { changeOf, createOf, deleteOf, lookUpBy, showOf } from './resource.ts'

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
  return group('user', 'people who may sign in', [
    listCommand(context, {
      description: 'the users of this installation',
      operation: userRoutes.listUsers,
      columns: [
        ['login', ({ login }) => login],
        ['name', ({ name }) => name],
        ['email', ({ email }) => email ?? ''],
        ['made', ({ created_at }, now) => ago(created_at, now)],
        ['', disabledCell],
      ],
    }),
    showOf(context, users, 'one user', (found, now) => [
      ['login', found.login],
      ['id', found.id],
      ['name', found.name],
      ['email', found.email ?? undefined],
      ['password', found.has_password ? 'set' : 'none'],
      ['state', found.disabled ? { text: 'disabled', tone: 'warn' } : 'enabled'],
      ['made', ago(found.created_at, now)],
    ]),
    createOf(context, users, {
      description: 'make a user; what they may do a grant says, and what they call the API with a token',
      argument: 'login, such as alice',
      options: userOptions(),
      body: async (login, options: UserOptions) => ({ login, ...(await bodyOf(context, options)) }),
      done: ({ login }) => `The user ${login} is made. \`signalbox grant create user:${login} <role> <team>\` is next.`,
    }),
    changeOf(context, users, {
      name: 'update',
      description: 'change what is given of a user',
      options: userOptions(),
      body: (options: UserOptions) => bodyOf(context, options),
      done: ({ login }) => `The user ${login} is changed.`,
    }),
    changeOf(context, users, {
      name: 'disable',
      description: 'no token and no password of theirs works until they are enabled again',
      body: () => ({ disabled: true }),
      done: ({ login }) => `The user ${login} is disabled.`,
    }),
    changeOf(context, users, {
      name: 'enable',
      description: 'their tokens and password work again',
      body: () => ({ disabled: false }),
      done: ({ login }) => `The user ${login} is enabled.`,
    }),
    deleteOf(
      context,
      users,
      'delete a user with their tokens and grants; what they did stays in the audit',
      'Their tokens and grants go with them.',
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
    new Option('--name <name>', 'as people call them'),
    new Option('--email <address>', 'where they can be written to; "" takes it away'),
    new Option('--password-stdin', 'read a password from the standard input, 12 characters at least'),
  ]
}

async function bodyOf(context: Context, { name, email, passwordStdin }: UserOptions) {
  return {
    name,
    email: email === '' ? null : email,
    password: passwordStdin ? await readPassword(context) : undefined,
  }
}

/** An argument could be seen by others on the machine. */
async function readPassword(context: Context): Promise<string> {
  if (context.surroundings.stdinIsTerminal) printNote(context, 'Type the password, then Enter and Ctrl-D.')
  const password = (await context.surroundings.readStdin()).replace(/\r?\n$/, '')
  if (password === '') throw new CommandFailed('usage', 'The standard input is empty: no password was given.')
  return password
}
