import { type Static, Type } from 'typebox'
import { Nullable, OURS, pageQuery, ReadOnly, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'

export const SubjectParams = Type.Object({ id: Uuid })
export type SubjectParams = Static<typeof SubjectParams>

export const SubjectListQuery = Type.Object({ ...pageQuery }, STRICT)
export type SubjectListQuery = Static<typeof SubjectListQuery>

export const Login = Type.String({
  ...OURS,
  pattern: '^[a-z0-9][a-z0-9._@+-]{0,99}$',
  description: 'Lower-case letters, digits and . _ @ + -',
})
const displayName = Type.String({ minLength: 1, maxLength: 200 })
const email = Nullable(Type.String({ format: 'email', maxLength: 320 }))
export const Password = Type.String({ minLength: 12, maxLength: 1024, description: 'At least 12 characters.' })

export const User = Type.Object({
  id: Uuid,
  login: Login,
  name: Type.String(),
  email: Nullable(Type.String()),
  has_password: Type.Boolean(),
  disabled: Type.Boolean(),
  created_at: Time,
  updated_at: Time,
})
export type User = Static<typeof User>

const userReadOnly = { id: ReadOnly, has_password: ReadOnly, created_at: ReadOnly, updated_at: ReadOnly }

export const CreateUser = Type.Object(
  {
    login: Login,
    name: Type.Optional(displayName),
    email: Type.Optional(email),
    password: Type.Optional(Password),
    disabled: Type.Optional(Type.Boolean()),
    ...userReadOnly,
  },
  STRICT,
)
export type CreateUser = Static<typeof CreateUser>

export const ChangeUser = Type.Object(
  {
    name: Type.Optional(displayName),
    email: Type.Optional(email),
    password: Type.Optional(Type.Union([Password, Type.Null()], { description: 'null takes the password away.' })),
    current_password: Type.Optional(
      Type.String({ maxLength: 1024, description: 'Needed to change your own password without user.write.' }),
    ),
    disabled: Type.Optional(Type.Boolean()),
    login: ReadOnly,
    ...userReadOnly,
  },
  STRICT,
)
export type ChangeUser = Static<typeof ChangeUser>

const subjectName = Type.String({
  ...OURS,
  pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
  description: 'A name of lower-case letters, digits, - and _, at most 63 characters.',
})

export const Group = Type.Object({ id: Uuid, name: subjectName, created_at: Time })
export type Group = Static<typeof Group>

export const CreateGroup = Type.Object({ name: subjectName, id: ReadOnly, created_at: ReadOnly }, STRICT)
export type CreateGroup = Static<typeof CreateGroup>

export const GroupMember = Type.Object({ user_id: Uuid, login: Login })
export type GroupMember = Static<typeof GroupMember>

export const MemberParams = Type.Object({ id: Uuid, user_id: Uuid })
export type MemberParams = Static<typeof MemberParams>

export const ServiceAccount = Type.Object({
  id: Uuid,
  team_path: TeamPath,
  name: subjectName,
  disabled: Type.Boolean(),
  created_at: Time,
})
export type ServiceAccount = Static<typeof ServiceAccount>

export const CreateServiceAccount = Type.Object(
  {
    team_path: TeamPath,
    name: subjectName,
    disabled: Type.Optional(Type.Boolean()),
    id: ReadOnly,
    created_at: ReadOnly,
  },
  STRICT,
)
export type CreateServiceAccount = Static<typeof CreateServiceAccount>

export const ChangeServiceAccount = Type.Object(
  {
    disabled: Type.Optional(Type.Boolean()),
    team_path: ReadOnly,
    name: ReadOnly,
    id: ReadOnly,
    created_at: ReadOnly,
  },
  STRICT,
)
export type ChangeServiceAccount = Static<typeof ChangeServiceAccount>
