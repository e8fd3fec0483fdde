import type { AccessExplanationQuery, Grant } from '@signalbox/contracts/access'
import { accessExplanationRoutes, grantRoutes, identityRoutes } from '@signalbox/contracts/access/routes'
import { type Command, Option } from 'commander'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { listCommand, type TeamListOptions, teamOption } from './listing.ts'
import { deleteOf, showOf } from './resource.ts'
import { SUBJECT, subjectOf } from './subjects.ts'
import { printAccess } from './why-access.ts'

const grants = {
  noun: 'grant',
  named: 'id, as `grant list` shows it',
  get: grantRoutes.getGrant,
  delete: grantRoutes.deleteGrant,
}

export function grantCommand(context: Context): Command {
  return group('grant', 'grants of roles; a role holds at its team and in all teams below it', [
    listCommand(context, {
      description: 'list the grants that you may see',
      operation: grantRoutes.listGrants,
      options: [
        teamOption('only of this team, without teams below it; / is the platform'),
        new Option('--subject <subject>', SUBJECT),
      ],
      query: async ({ team, subject }: TeamListOptions & { readonly subject?: string }, client) => ({
        team_path: team,
        subject: subject === undefined ? undefined : await subjectOf(client, subject),
      }),
      columns: [
        ['id', ({ id }) => id],
        ['subject', nameOfSubject],
        ['role', ({ role }) => role],
        ['team', ({ team_path }) => team_path],
        ['created', ({ created_at }, now) => ago(created_at, now)],
      ],
    }),
    showOf(context, grants, 'show a grant', (found, now) => [
      ['id', found.id],
      ['subject', nameOfSubject(found)],
      ['role', found.role],
      ['team', found.team_path],
      ['created', ago(found.created_at, now)],
    ]),
    createCommand(context),
    deleteOf(context, grants, 'delete a grant: the subject loses the role'),
    rolesCommand(context),
    whyCommand(context),
  ])
}

function nameOfSubject({ subject, subject_name: name }: Grant): string {
  return `${subject.slice(0, subject.indexOf(':'))}:${name}`
}

function createCommand(context: Context): Command {
  return apiCommand('create', 'give a subject a role at a team and all teams below it')
    .argument('<subject>', SUBJECT)
    .argument('<role>', 'viewer, operator, editor, owner or administrator; see `grant roles`')
    .argument('<team>', 'path such as acme/web; / is the platform, which means everywhere')
    .action(async (subject: string, role: Grant['role'], team: string, options: ApiOptions) => {
      const client = context.connect(options)
      const body = { subject: await subjectOf(client, subject), role, team_path: team }
      const made = await client.call(grantRoutes.createGrant, { body })
      if (options.json) return context.printJson(made)
      return context.printNote(`${nameOfSubject(made)} is ${made.role} of ${made.team_path} (grant ${made.id}).`)
    })
}

/** Each role has the permissions of the one before it: only the additions are told. */
function rolesCommand(context: Context): Command {
  return apiCommand('roles', 'list the roles and their permissions')
    .argument('[role]', 'show all permissions of this role')
    .action(async (name: string | undefined, options: ApiOptions) => {
      const table = await context.connect(options).call(identityRoutes.listPermissions)
      if (options.json) return context.printJson(table)
      const { roles, permissions } = table
      const meaning = new Map(permissions.map((each) => [each.name, each.description]))
      const told = new Set<string>()
      const rows = roles
        .filter((role) => name === undefined || role.name === name)
        .flatMap((role) =>
          role.permissions.flatMap((permission) => {
            if (told.has(permission)) return []
            told.add(permission)
            return [[role.name, permission, meaning.get(permission) ?? '']]
          }),
        )
      return context.printTable(['role', 'permission', 'allows'], rows)
    })
}

/** `grant why`: yes or no in a sentence, then the grants that prove it, or those that would give the permission. */
function whyCommand(context: Context): Command {
  return apiCommand('why', 'explain why a subject may or may not do something at a team')
    .argument('<subject>', SUBJECT)
    .argument('<permission>', 'such as run.start; `grant roles` lists them')
    .argument('<team>', 'path such as acme/web; / is the platform')
    .action(
      async (subject: string, permission: AccessExplanationQuery['permission'], team: string, options: ApiOptions) => {
        const client = context.connect(options)
        const query = { subject: await subjectOf(client, subject), permission, team_path: team }
        const found = await client.call(accessExplanationRoutes.explainAccess, { query })
        return options.json ? context.printJson(found) : printAccess(context, found)
      },
    )
}
