import { type Static, Type } from 'typebox'
import { OwnName, pageQuery, ReadOnly, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'
import { SubjectRef } from '../teams/index.ts'

/** Each has the permissions of the role before it, and more. */
export const ROLE_NAMES = ['viewer', 'operator', 'editor', 'owner', 'administrator'] as const

export const Role = Type.Enum([...ROLE_NAMES])
export type Role = Static<typeof Role>

/** A team path, or "/" for the platform. */
export const GrantPath = Type.Union([TeamPath, Type.Literal('/')])

export const Grant = Type.Object({
  id: Uuid,
  subject: SubjectRef,
  subject_name: OwnName,
  role: Role,
  team_path: GrantPath,
  created_at: Time,
})
export type Grant = Static<typeof Grant>

export const CreateGrant = Type.Object(
  {
    subject: SubjectRef,
    role: Role,
    team_path: GrantPath,
    id: ReadOnly,
    subject_name: ReadOnly,
    created_at: ReadOnly,
  },
  STRICT,
)
export type CreateGrant = Static<typeof CreateGrant>

export const GrantQuery = Type.Object(
  { ...pageQuery, team_path: Type.Optional(GrantPath), subject: Type.Optional(SubjectRef) },
  STRICT,
)
export type GrantQuery = Static<typeof GrantQuery>
