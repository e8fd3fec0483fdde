import { groupRoutes } from '@signalbox/contracts/access/routes'
import type { Command } from 'commander'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { listCommand, printItems } from './listing.ts'
import { createOf, deleteOf, idOf, lookUpBy, showOf } from './resource.ts'
import { users } from './user.ts'

export const groups = {
  noun: 'group',
  named: 'name or id',
  lookUp: lookUpBy(groupRoutes.listGroups, ({ name }) => name),
  create: groupRoutes.createGroup,
  get: groupRoutes.getGroup,
  delete: groupRoutes.deleteGroup,
}

export function groupCommand(context: Context): Command {
  return group('group', 'groups of users, for roles that many users share', [
    listCommand(context, {
      description: 'list the groups of this installation',
      operation: groupRoutes.listGroups,
      columns: [
        ['group', ({ name }) => name],
        ['id', ({ id }) => id],
        ['created', ({ created_at }, now) => ago(created_at, now)],
      ],
    }),
    showOf(context, groups, 'show a group', (found, now) => [
      ['group', found.name],
      ['id', found.id],
      ['created', ago(found.created_at, now)],
    ]),
    createOf(context, groups, {
      description: 'create a group',
      argument: 'its name, such as release-managers',
      body: (name) => ({ name }),
      done: ({ name }) => `The group ${name} is created.`,
    }),
    membersCommand(context),
    memberCommand(context, 'add'),
    memberCommand(context, 'remove'),
    deleteOf(
      context,
      groups,
      'delete a group and its grants; the users stay',
      'The grants of the group are deleted too.',
    ),
  ])
}

function membersCommand(context: Context): Command {
  return apiCommand('members', 'list the members of a group')
    .argument('<group>', groups.named)
    .action(async (given: string, options: ApiOptions) => {
      const client = context.connect(options)
      const params = { id: await idOf(client, groups, given) }
      const members = await client.call(groupRoutes.listGroupMembers, { params })
      if (options.json) return context.printJson(members)
      return printItems(context, members, [
        ['login', ({ login }) => login],
        ['id', ({ user_id }) => user_id],
      ])
    })
}

function memberCommand(context: Context, name: 'add' | 'remove'): Command {
  const added = name === 'add'
  return apiCommand(name, added ? 'add users to a group' : 'remove users from a group')
    .argument('<group>', groups.named)
    .argument('<users...>', 'logins or ids')
    .action(async (given: string, members: readonly string[], options: ApiOptions) => {
      const client = context.connect(options)
      const id = await idOf(client, groups, given)
      const { addGroupMember, removeGroupMember } = groupRoutes
      // All are known before the first is changed: a wrong login changes nothing.
      const ids = await Promise.all(members.map((member) => idOf(client, users, member)))
      for (const user_id of ids) {
        await client.call(added ? addGroupMember : removeGroupMember, { params: { id, user_id } })
      }
      if (options.json) return context.printJson({ group: given, [added ? 'added' : 'removed']: ids })
      const verb = members.length === 1 ? 'is' : 'are'
      return context.printNote(`${members.join(', ')} ${verb} ${added ? 'in' : 'no longer in'} the group ${given}.`)
    })
}
