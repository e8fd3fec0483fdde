import { type Static, Type } from 'typebox'
import { GrantPath, ROLE_NAMES, Role } from '../access/index.ts'
import { Nullable, OwnName, pageQuery, STRICT, Time, Uuid } from '../http/index.ts'
import { SubjectRef, TeamParams } from '../teams/index.ts'

export const SUBJECT_KINDS = ['user', 'group', 'service_account'] as const

/** `own`: given at the team itself. `inherited`: given at a team above it. `group`: given to a group of the user. */
export const RIGHT_ORIGINS = ['own', 'inherited', 'group'] as const

export const TeamMemberParams = TeamParams
export type TeamMemberParams = Static<typeof TeamMemberParams>

const RightOrigin = Type.Enum([...RIGHT_ORIGINS], {
  description:
    'own: given at this team. inherited: given at a team above it. group: given, at either, to a group of the user.',
})

export const TeamMemberQuery = Type.Object(
  {
    ...pageQuery,
    kind: Type.Optional(Type.Enum([...SUBJECT_KINDS])),
    role: Type.Optional(Type.Enum([...ROLE_NAMES], { description: 'Members with a right of this role.' })),
    origin: Type.Optional(RightOrigin),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'A part of the name, in either case.' }),
    ),
  },
  STRICT,
)
export type TeamMemberQuery = Static<typeof TeamMemberQuery>

/** A role that a member has at the team, and where it comes from. */
export const MemberRight = Type.Object({
  grant_id: Uuid,
  role: Role,
  team_path: GrantPath,
  origin: RightOrigin,
  group: Nullable(Type.Object({ id: Uuid, name: OwnName }), {
    description: 'The group that was given it; null: the member itself.',
  }),
  created_at: Time,
})
export type MemberRight = Static<typeof MemberRight>

export const TeamMember = Type.Object({
  subject: Nullable(SubjectRef, {
    description:
      'null: the last entry. It stands for subjects that the caller may not see, who have a grant of a team above.',
  }),
  subject_name: Nullable(OwnName),
  disabled: Type.Boolean({ description: 'A disabled subject may do nothing, whatever its rights say.' }),
  rights: Type.Array(MemberRight, { description: 'Those that the caller may see, the strongest first.' }),
  hidden_rights: Type.Boolean({
    description: 'True: there are grants besides, of a team above or of a group, that the caller may not see.',
  }),
})
export type TeamMember = Static<typeof TeamMember>
