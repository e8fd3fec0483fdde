import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, pageQuery, ReadOnly, ShownOnce, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'
import { FAMILY_NAMES } from './families.ts'
import { PERMISSION_NAMES } from './permissions.ts'

/** What a token may do at most; null, or false, limits nothing. Whatever is left is what its owner may do besides. */
export const TokenLimits = Type.Object({
  permissions: Nullable(Type.Array(OwnName), { description: 'These alone.' }),
  team_path: Nullable(TeamPath, { description: 'At this team and below it alone.' }),
  read_only: Type.Boolean({ description: 'Permissions that end in .read alone, and no write.' }),
  families: Nullable(Type.Array(OwnName), { description: 'Permissions of these families alone.' }),
})
export type TokenLimits = Static<typeof TokenLimits>

export const Token = Type.Object({
  id: Uuid,
  // Free text: counts as that of others.
  name: Type.String(),
  user_id: Nullable(Uuid),
  service_account_id: Nullable(Uuid),
  owner: Nullable(OwnName, {
    description: 'The owner: `user:<login>` or `service_account:<team path>/<name>`; null where the owner is deleted.',
  }),
  last_four: Type.String({ ...OURS, description: 'The last characters of the token, to recognise it by.' }),
  ...TokenLimits.properties,
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

const LIST = { minItems: 1, maxItems: 100, uniqueItems: true } as const

export const CreateToken = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    service_account_id: Type.Optional(
      Type.Union([Uuid, Type.Null()], { description: 'The service account that it stands for. Default: yourself.' }),
    ),
    user_id: Type.Optional(Type.Union([Uuid, Type.Null()], { description: 'Another user; needs user.write.' })),
    permissions: Type.Optional(
      Type.Union([Type.Array(Type.Enum([...PERMISSION_NAMES]), LIST), Type.Null()], {
        description: 'It may do these alone.',
      }),
    ),
    team_path: Type.Optional(Nullable(TeamPath, { description: 'It holds at this team and below it alone.' })),
    read_only: Type.Optional(Type.Boolean({ description: 'It only reads.' })),
    families: Type.Optional(
      Type.Union([Type.Array(Type.Enum([...FAMILY_NAMES]), LIST), Type.Null()], {
        description: 'It may use permissions of these families alone.',
      }),
    ),
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
