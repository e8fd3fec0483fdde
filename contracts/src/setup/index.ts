import { type Static, Type } from 'typebox'
import { Login, Password, User } from '../access/index.ts'
import { Nullable, ShownOnce, STRICT } from '../http/index.ts'

export const SetupBlocker = Type.Object({
  code: Type.String({
    description: 'Stable: disk_full, database_unreachable, secret_key_wrong, administrator_missing.',
  }),
  message: Type.String({ description: 'The obstacle.' }),
  remedy: Type.String({ description: 'The remedy.' }),
})
export type SetupBlocker = Static<typeof SetupBlocker>

export const Preflight = Type.Object({ ready: Type.Boolean(), blockers: Type.Array(SetupBlocker) })
export type Preflight = Static<typeof Preflight>

export const CreateAdministrator = Type.Object(
  {
    login: Login,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    email: Type.Optional(Nullable(Type.String({ format: 'email', maxLength: 320 }))),
    password: Type.Optional(Password),
    token_name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Makes a token too, which the answer shows once.' }),
    ),
  },
  STRICT,
)
export type CreateAdministrator = Static<typeof CreateAdministrator>

export const NewAdministrator = Type.Object({
  user: User,
  token: Nullable(ShownOnce('Shown once; null where no token_name was given.')),
  advice: Type.Array(SetupBlocker, { description: 'The steps left to do; bootstrap_token_valid: revoke it.' }),
})
export type NewAdministrator = Static<typeof NewAdministrator>
