import type { Command } from 'commander'
import { groupMember, groupOfUsers } from '../client/access-answers.ts'
import { anything, list } from '../client/shape.ts'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, group, printJson, printNote } from './context.ts'
import { printItems } from './listing.ts'
import { addressOf, createOf, deleteOf, idOf, listOf, type Resource, showOf } from './resource.ts'
import { users } from './user.ts'

export const groups: Resource<ReturnType<typeof groupOfUsers>> = {
  noun: 'group',
  path: '/v1/groups',
  item: groupOfUsers,
  named: 'name or id',
  nameOf: ({ name }) => name,
}

export function groupCommand(context: Context): Command {
  return group('group', 'groups of users, to give roles to many at once', [
    listOf(context, groups, {
      description: 'the groups of this installation',
      columns: [
        ['group', ({ name }) => name],
        ['id', ({ id }) => id],
        ['made', ({ created_at }, now) => ago(created_at, now)],
      ],
    }),
    showOf(context, groups, 'one group', (found, now) => [
      ['group', found.name],
      ['id', found.id],
      ['made', ago(found.created_at, now)],
    ]),
    createOf(context, groups, {
      description: 'make a group',
      argument: 'its name, such as release-managers',
      body: (name) => ({ name }),
      done: ({ name }) => `The group ${name} is made.`,
    }),
    membersCommand(context),
    memberCommand(context, 'add', 'PUT'),
    memberCommand(context, 'remove', 'DELETE'),
    deleteOf(context, groups, 'delete a group with its grants; its members stay', 'Its grants go with it.'),
  ])
}

function membersCommand(context: Context): Command {
  return apiCommand('members', 'who is in a group')
    .argument('<group>', groups.named)
    .action(async (given: string, options: ApiOptions) => {
      const client = clientOf(context, options)
      const answer = await client.get(`${await addressOf(client, groups, given)}/members`, list(anything))
      if (options.json) return printJson(context, answer)
      return printItems(context, answer, {
        item: groupMember,
        columns: [
          ['login', ({ login }) => login],
          ['id', ({ user_id }) => user_id],
        ],
      })
    })
}

function memberCommand(context: Context, name: 'add' | 'remove', method: 'PUT' | 'DELETE'): Command {
  const added = name === 'add'
  return apiCommand(name, added ? 'put users into a group' : 'take users out of a group')
    .argument('<group>', groups.named)
    .argument('<users...>', 'logins or ids')
    .action(async (given: string, members: readonly string[], options: ApiOptions) => {
      const client = clientOf(context, options)
      const address = await addressOf(client, groups, given)
      // All are known before the first is changed: a wrong login changes nothing.
      const ids = await Promise.all(members.map((member) => idOf(client, users, member)))
      for (const id of ids) await client.request(method, `${address}/members/${id}`)
      if (options.json) return printJson(context, { group: given, [added ? 'added' : 'removed']: ids })
      const verb = members.length === 1 ? 'is' : 'are'
      return printNote(context, `${members.join(', ')} ${verb} ${added ? 'in' : 'no longer in'} the group ${given}.`)
    })
}
