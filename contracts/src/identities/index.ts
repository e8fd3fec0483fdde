import { type Static, Type } from 'typebox'
import { Nullable, STRICT, Time, Uuid } from '../http/index.ts'

const providerId = Type.String({ maxLength: 100, description: 'As in GET /v1/sign-in.' })

export const SignInParams = Type.Object({ provider: providerId })
export type SignInParams = Static<typeof SignInParams>

const returnTo = Type.Optional(
  Type.String({
    maxLength: 4096,
    description: 'The wanted place in the page: "#/" and what follows. Anything else is passed over.',
  }),
)

export const SignInQuery = Type.Object({ return_to: returnTo }, STRICT)
export type SignInQuery = Static<typeof SignInQuery>

/** Providers add parameters of their own. */
export const SignInCallbackQuery = Type.Object({}, { additionalProperties: true })
export type SignInCallbackQuery = Static<typeof SignInCallbackQuery>

/** Why nobody was signed in, in the address of the page: `#/sign-in?error=expired`. Words for them are the page's. */
export const SignInError = Type.Enum([
  'unknown_provider',
  'expired',
  'denied',
  'provider_unreachable',
  'provider_invalid',
  'account_unknown',
  'account_refused',
  'account_disabled',
  'account_taken',
  'too_many_attempts',
  'unavailable',
])
export type SignInError = Static<typeof SignInError>

export const UserIdentity = Type.Object({
  id: Uuid,
  user_id: Uuid,
  provider: Nullable(Type.String(), {
    description: 'null: no configured provider is this issuer any more. git:...: an account for commands in comments.',
  }),
  issuer: Type.String(),
  subject: Type.String({ description: "The account's name at the issuer, which never changes." }),
  created_at: Time,
  last_sign_in_at: Nullable(Time),
})
export type UserIdentity = Static<typeof UserIdentity>

export const UserIdentitiesParams = Type.Object({ id: Uuid })
export type UserIdentitiesParams = Static<typeof UserIdentitiesParams>

export const UserIdentityParams = Type.Object({ id: Uuid, identity_id: Uuid })
export type UserIdentityParams = Static<typeof UserIdentityParams>

export const CreateUserIdentity = Type.Object(
  {
    provider: Type.String({
      maxLength: 500,
      description:
        'As in GET /v1/sign-in; or a Git provider whose accounts give commands in comments: git:github, or with its ' +
        'address git:gitea:https://git.example.com. Nobody signs in by those.',
    }),
    subject: Type.String({ pattern: '^[\\x20-\\x7e]{1,255}$', description: 'At most 255 characters of ASCII.' }),
  },
  STRICT,
)
export type CreateUserIdentity = Static<typeof CreateUserIdentity>

export const LinkIdentity = Type.Object({ return_to: returnTo }, STRICT)
export type LinkIdentity = Static<typeof LinkIdentity>

export const IdentityLink = Type.Object({
  url: Type.String({ description: 'Where the browser goes now: the provider asks who the person is there.' }),
})
export type IdentityLink = Static<typeof IdentityLink>
