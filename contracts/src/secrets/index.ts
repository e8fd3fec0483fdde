import { type Static, Type } from 'typebox'
import { Nullable, pageQuery, ReadOnly, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'

export const SecretName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$',
  description: 'A name of letters, digits, _, . and -, at most 100 characters.',
})

/** The public facts of a stored secret. The value is never returned. */
export const Secret = Type.Object({
  id: Uuid,
  team_path: TeamPath,
  name: SecretName,
  version: Type.Integer({ description: 'The version in use.' }),
  versions: Type.Array(Type.Object({ version: Type.Integer(), created_at: Time, last_used_at: Nullable(Time) }), {
    description: 'The versions that can be used, newest first: at most two, while a sender is being rotated.',
  }),
  environments: Type.Array(Type.String(), { description: 'Environments whose runs may use it; empty: all.' }),
  created_at: Time,
  updated_at: Time,
  last_used_at: Nullable(Time),
})
export type Secret = Static<typeof Secret>

export const SecretParams = Type.Object({ id: Uuid })
export type SecretParams = Static<typeof SecretParams>

export const SecretVersionParams = Type.Object({
  id: Uuid,
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
})
export type SecretVersionParams = Static<typeof SecretVersionParams>

const value = Type.String({
  minLength: 1,
  maxLength: 65_536,
  description: '1 byte to 64 KiB of text without NUL. Stored sealed, never returned.',
})
const environments = Type.Optional(
  Type.Array(Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$' }), { maxItems: 100, uniqueItems: true }),
)
const readOnly = {
  id: ReadOnly,
  version: ReadOnly,
  versions: ReadOnly,
  created_at: ReadOnly,
  updated_at: ReadOnly,
  last_used_at: ReadOnly,
}

export const CreateSecret = Type.Object(
  { team_path: TeamPath, name: SecretName, value, environments, ...readOnly },
  STRICT,
)
export type CreateSecret = Static<typeof CreateSecret>

export const ReplaceSecret = Type.Object(
  {
    value,
    environments,
    keep_previous: Type.Optional(
      Type.Boolean({
        description:
          'Whether an older version goes on working beside the new one, while a sender is being rotated. ' +
          'Of the usable versions, the one used last is kept. Default true.',
      }),
    ),
    team_path: ReadOnly,
    name: ReadOnly,
    ...readOnly,
  },
  STRICT,
)
export type ReplaceSecret = Static<typeof ReplaceSecret>

export const SecretQuery = Type.Object({ ...pageQuery, team_path: Type.Optional(TeamPath) }, STRICT)
export type SecretQuery = Static<typeof SecretQuery>
