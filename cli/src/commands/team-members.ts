import type { MemberRight, TeamMember, TeamMemberQuery } from '@signalbox/contracts/members'
import { memberRoutes } from '@signalbox/contracts/members/routes'
import { type Command, Option } from 'commander'
import type { Cell } from '../output/table.ts'
import { apiCommand, type Context } from './context.ts'
import { type ListOptions, printList, withLimit } from './listing.ts'

const KINDS = ['user', 'group', 'service_account'] as const satisfies readonly TeamMemberQuery['kind'][]
const ORIGINS = ['own', 'inherited', 'group'] as const satisfies readonly TeamMemberQuery['origin'][]
const ROLES = [
  'viewer',
  'operator',
  'editor',
  'owner',
  'administrator',
] as const satisfies readonly TeamMemberQuery['role'][]

interface MembersOptions extends ListOptions, Pick<TeamMemberQuery, 'kind' | 'role' | 'origin' | 'name'> {}

/** `team members`: everybody who has a right at a team, and where each right comes from. */
export function membersCommand(context: Context): Command {
  const command = apiCommand('members', 'list everybody who has a right at a team, and where each right comes from')
    .argument('<team>', 'path or id')
    .addOption(new Option('--kind <kind>', 'only members of this kind').choices(KINDS))
    .addOption(new Option('--role <role>', 'only members with this role').choices(ROLES))
    .addOption(
      new Option(
        '--origin <origin>',
        'only members with a right given at the team (own), above it (inherited) or to a group',
      ).choices(ORIGINS),
    )
    .option('--name <text>', 'only members with this text in their name')
  return withLimit(command).action((id: string, { kind, role, origin, name, ...options }: MembersOptions) =>
    printList(
      context,
      context.connect(options),
      {
        operation: memberRoutes.listTeamMembers,
        params: { id },
        query: { kind, role, origin, name },
        columns: [
          ['member', nameOf],
          ['role', ({ rights }) => rights[0]?.role ?? ''],
          ['comes from', originsOf],
          ['', ({ disabled }) => (disabled ? { text: 'disabled', tone: 'warn' } : '')],
        ],
      },
      options,
    ),
  )
}

function nameOf({ subject, subject_name: name }: TeamMember): string | Cell {
  if (subject === null) return { text: 'others', tone: 'quiet' }
  return `${subject.slice(0, subject.indexOf(':'))}:${name ?? ''}`
}

/** Such as `editor of acme/web; operator of acme through the group leads`. */
function originsOf({ subject, rights, hidden_rights: isMore }: TeamMember): string {
  if (subject === null) return 'grants of teams above'
  const hidden = rights.length === 0 ? 'a grant that you may not see' : 'another grant that you may not see'
  return [...rights.map(inWords), ...(isMore ? [hidden] : [])].join('; ')
}

function inWords({ role, team_path: path, group }: MemberRight): string {
  const place = path === '/' ? 'the platform' : path
  return `${role} of ${place}${group === null ? '' : ` through the group ${group.name}`}`
}
