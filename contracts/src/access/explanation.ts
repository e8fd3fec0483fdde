import { type Static, Type } from 'typebox'
import { Nullable, STRICT, Time, Uuid } from '../http/index.ts'
import { SubjectRef } from '../teams/index.ts'
import { GrantPath, Role } from './grants.ts'
import { PERMISSION_NAMES } from './permissions.ts'

export const AccessExplanationQuery = Type.Object(
  {
    subject: SubjectRef,
    permission: Type.Enum([...PERMISSION_NAMES], { description: 'As `GET /v1/auth/permissions` names it.' }),
    team_path: GrantPath,
  },
  STRICT,
)
export type AccessExplanationQuery = Static<typeof AccessExplanationQuery>

/** A grant by which the subject has the permission. */
export const AccessReason = Type.Object({
  grant_id: Uuid,
  role: Role,
  team_path: GrantPath,
  group: Nullable(Type.Object({ id: Uuid, name: Type.String() }), {
    description: 'The group that was given it; null: the subject itself.',
  }),
  created_at: Time,
  created_by: Nullable(
    Type.String({ description: 'Who made the grant, as they were called then; null: not for the caller to see.' }),
  ),
})
export type AccessReason = Static<typeof AccessReason>

/** A grant that would give the permission. */
export const AccessRemedy = Type.Object({
  role: Role,
  team_path: GrantPath,
  givers: Type.Array(Type.String(), {
    description: 'Logins of users who can make the grant and whom the caller may see, the nearest first; at most ten.',
  }),
})
export type AccessRemedy = Static<typeof AccessRemedy>

export const AccessExplanation = Type.Object({
  subject: SubjectRef,
  subject_name: Type.String(),
  permission: Type.String(),
  team_path: GrantPath,
  allowed: Type.Boolean(),
  disabled: Type.Boolean({ description: 'A disabled subject may do nothing, whatever its grants say.' }),
  sentence: Type.String({ description: 'The answer for a person.' }),
  grants: Type.Array(AccessReason, { description: 'Of the team and the teams above it, the nearest first.' }),
  hidden_grants: Type.Boolean({ description: 'True: there are grants besides that the caller may not see.' }),
  remedies: Type.Array(AccessRemedy, {
    description:
      'Where it is not allowed: the weakest role with the permission, at the team and at each team above it.',
  }),
})
export type AccessExplanation = Static<typeof AccessExplanation>
