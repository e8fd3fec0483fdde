import { type Static, Type } from 'typebox'
import { Finding, Nullable, OURS, OwnName, Sentence, STRICT, Time, Uuid } from '../http/index.ts'
import { SubjectRef } from '../teams/index.ts'
import { GrantPath, Role } from './grants.ts'
import { PERMISSION_NAMES } from './permissions.ts'

export const AccessExplanationQuery = Type.Object(
  {
    /** Default: the caller, with the limits of the token. Another takes grant.read at the team. */
    subject: Type.Optional(SubjectRef),
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
  group: Nullable(Type.Object({ id: Uuid, name: OwnName }), {
    description: 'The group that was given it; null: the subject itself.',
  }),
  created_at: Time,
  created_by: Nullable(
    Type.String({
      ...OURS,
      description: 'Who made the grant, as they were called then; null: not for the caller to see.',
    }),
  ),
})
export type AccessReason = Static<typeof AccessReason>

/** A grant that would give the permission. */
export const AccessRemedy = Type.Object({
  role: Role,
  team_path: GrantPath,
  givers: Type.Array(OwnName, {
    description: 'Logins of users who can make the grant and whom the caller may see, the nearest first; at most ten.',
  }),
})
export type AccessRemedy = Static<typeof AccessRemedy>

/** The limits of a token that can refuse a permission. */
export const TOKEN_LIMITS = ['withheld', 'permissions', 'team_path', 'read_only', 'families'] as const
export type TokenLimit = (typeof TOKEN_LIMITS)[number]

export const AccessExplanation = Type.Object({
  subject: Type.String({ ...OURS, description: '<kind>:<id>' }),
  subject_name: OwnName,
  permission: OwnName,
  team_path: GrantPath,
  allowed: Type.Boolean(),
  disabled: Type.Boolean({ description: 'A disabled subject may do nothing, whatever its grants say.' }),
  token_limit: Nullable(Type.Enum([...TOKEN_LIMITS]), {
    description: 'The limit of your token that refuses. withheld: no token with limits has this permission.',
  }),
  sentence: Sentence,
  findings: Type.Array(Finding, { description: 'The answer sentence by sentence, with what each rests on.' }),
  grants: Type.Array(AccessReason, { description: 'Of the team and the teams above it, the nearest first.' }),
  hidden_grants: Type.Boolean({ description: 'True: there are grants besides that the caller may not see.' }),
  remedies: Type.Array(AccessRemedy, {
    description:
      'Where it is not allowed: the weakest role with the permission, at the team and at each team above it.',
  }),
})
export type AccessExplanation = Static<typeof AccessExplanation>
