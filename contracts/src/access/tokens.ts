import { type Static, Type } from 'typebox'
import { Nullable, pageQuery, ReadOnly, ShownOnce, STRICT, Time, Uuid } from '../http/index.ts'

export const Token = Type.Object({
  id: Uuid,
  name: Type.String(),
  user_id: Nullable(Uuid),
  service_account_id: Nullable(Uuid),
  owner: Nullable(Type.String(), {
    description: 'The owner: `user:<login>` or `service_account:<team path>/<name>`; null where the owner is deleted.',
  }),
  last_four: Type.String({ description: 'The last characters of the token, to recognise it by.' }),
  expires_at: Nullable(Time),
  last_used_at: Nullable(Time),
  created_at: Time,
})
export type Token = Static<typeof Token>

export const TokenListQuery = Type.Object(
  { ...pageQuery, own: Type.Optional(Type.Boolean({ description: 'Your own alone.' })) },
  STRICT,
)
export type TokenListQuery = Static<typeof TokenListQuery>

/** The only answer that ever holds the token itself. */
export const NewToken = Type.Object({ ...Token.properties, token: ShownOnce('Shown once.') })
export type NewToken = Static<typeof NewToken>

export const CreateToken = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    service_account_id: Type.Optional(
      Type.Union([Uuid, Type.Null()], { description: 'The service account that it stands for. Default: yourself.' }),
    ),
    user_id: Type.Optional(Type.Union([Uuid, Type.Null()], { description: 'Another user; needs user.write.' })),
    expires_at: Type.Optional(Nullable(Time)),
    id: ReadOnly,
    owner: ReadOnly,
    last_four: ReadOnly,
    last_used_at: ReadOnly,
    created_at: ReadOnly,
  },
  STRICT,
)
export type CreateToken = Static<typeof CreateToken>
