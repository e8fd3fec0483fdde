import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Context, Provider } from 'oidc-provider'
import { makeSigningKey, type SigningKey } from './signing-key.ts'

/** What the provider knows of a person. */
export interface Person {
  /** The subject. */
  readonly sub: string
  readonly preferred_username?: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly groups?: unknown
  readonly [claim: string]: unknown
}

export interface LocalClient {
  readonly id: string
  readonly secret: string
  readonly redirectUris: readonly string[]
}

/** A real provider of OpenID Connect on this machine. Who signs in is set by the test: no password is asked for. */
export interface LocalProvider extends AsyncDisposable {
  readonly issuer: string
  readonly key: SigningKey
  /** Whoever comes to sign in is this person; undefined: they refuse. */
  person: Person | undefined
  /** Answers in place of the provider, to whatever it is asked; undefined: the provider answers itself. */
  away: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  /** Changes what the token endpoint answers. */
  changeTokens: ((tokens: Readonly<Record<string, unknown>>) => unknown) | undefined
  /** Changes the description of the provider. */
  changeDescription: ((description: Readonly<Record<string, unknown>>) => unknown) | undefined
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[]
}

const CLAIMS = {
  profile: ['name', 'preferred_username', 'nickname'],
  email: ['email', 'email_verified'],
  groups: ['groups', 'hd'],
}
const SCOPES = ['openid', ...Object.keys(CLAIMS)]

/** `port`: 0 takes a free one. */
export async function startLocalProvider(clients: readonly LocalClient[], port = 0): Promise<LocalProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The provider does not listen')
  const issuer = `http://127.0.0.1:${address.port}`
  const key = makeSigningKey('the-only-one')
  const people = new Map<string, Person>()
  const asked: string[] = []
  const provider = new Provider(
    issuer,
    configurationOf(clients, key, people, () => provider),
  )
  const local: LocalProvider = {
    issuer,
    key,
    person: undefined,
    away: undefined,
    changeTokens: undefined,
    changeDescription: undefined,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  provider.use(async (context, next) => {
    await next()
    const change = CHANGES[context.path]?.(local)
    if (change && isObject(context.body)) context.body = change(context.body)
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    asked.push(path)
    if (local.away) return local.away(request, response)
    if (!path.startsWith('/person/')) return void answer(request, response)
    const { person } = local
    if (person) people.set(person.sub, person)
    const result = person ? { login: { accountId: person.sub } } : { error: 'access_denied' }
    void provider.interactionFinished(request, response, result)
  })
  return local
}

const CHANGES: Readonly<
  Record<
    string,
    ((local: LocalProvider) => ((body: Readonly<Record<string, unknown>>) => unknown) | undefined) | undefined
  >
> = {
  '/token': (local) => local.changeTokens,
  '/.well-known/openid-configuration': (local) => local.changeDescription,
}

function configurationOf(
  clients: readonly LocalClient[],
  key: SigningKey,
  people: ReadonlyMap<string, Person>,
  provider: () => Provider,
): Readonly<Record<string, unknown>> {
  return {
    clients: clients.map(({ id, secret, redirectUris }) => ({
      client_id: id,
      client_secret: secret,
      redirect_uris: redirectUris,
    })),
    jwks: { keys: [key.privateJwk] },
    cookies: { keys: ['only-for-tests'] },
    features: { devInteractions: { enabled: false } },
    scopes: SCOPES,
    claims: CLAIMS,
    pkce: { required: () => true },
    interactions: { url: (_context: Context, { uid }: { readonly uid: string }) => `/person/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_context: Context, id: string) => ({
      accountId: id,
      claims: async () => ({ ...people.get(id), sub: id }),
    }),
    // Nobody is asked to consent.
    async loadExistingGrant({ oidc }: Context) {
      const Grant = provider().Grant
      const grant = new Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope(SCOPES.join(' '))
      await grant.save()
      return grant
    },
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
