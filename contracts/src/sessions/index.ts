import { type Static, Type } from 'typebox'
import { Nullable, pageQuery, STRICT, Time, Uuid } from '../http/index.ts'

export const SignInProvider = Type.Object({
  id: Type.String({ description: 'As in /v1/sign-in/{provider}.' }),
  name: Type.String({ description: 'For people.' }),
})
export type SignInProvider = Static<typeof SignInProvider>

/** What a page must know before anybody is signed in. */
export const SignInWays = Type.Object({
  setup_needed: Type.Boolean({ description: 'There is no administrator yet: the bootstrap token makes the first.' }),
  password: Type.Boolean({ description: 'POST /v1/sessions takes a login and a password.' }),
  providers: Type.Array(SignInProvider),
})
export type SignInWays = Static<typeof SignInWays>

export const SignIn = Type.Object(
  {
    login: Type.String({ minLength: 1, maxLength: 200 }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
  },
  STRICT,
)
export type SignIn = Static<typeof SignIn>

export const Session = Type.Object({
  id: Uuid,
  user_id: Uuid,
  method: Type.Enum(['password', 'openid']),
  provider: Nullable(Type.String(), { description: 'Of OpenID Connect.' }),
  device: Type.String({
    description: 'The browser and the system, as far as the browser tells, such as Firefox on Linux.',
  }),
  user_agent: Type.String({ description: 'As the browser sent it, at most 300 characters.' }),
  address: Type.String({ description: 'From where it was opened.' }),
  created_at: Time,
  last_used_at: Time,
  idle_ends_at: Time,
  expires_at: Time,
  current: Type.Boolean({ description: 'This request came with it.' }),
})
export type Session = Static<typeof Session>

export const SessionParams = Type.Object({ id: Uuid })
export type SessionParams = Static<typeof SessionParams>

export const SessionListQuery = Type.Object({ ...pageQuery }, STRICT)
export type SessionListQuery = Static<typeof SessionListQuery>
