import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ConfigWrong } from './config-wrong.ts'

// Entries of `sign_in_providers`. Each description ends the sentence "sign_in_providers: <key> of entry 1 must be ...".

function filledText(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, description: 'a text that is not empty' })
}

const claimName = Type.String({ minLength: 1, maxLength: 200, description: 'the name of a claim' })

const Entry = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9][a-z0-9-]{0,31}$',
      description: 'at most 32 lower-case letters, digits and "-", as it is a part of addresses',
    }),
    name: filledText(60),
    issuer: Type.String({ maxLength: 500, description: 'an https address' }),
    client_id: filledText(500),
    client_secret: Type.Optional(filledText(2000)),
    client_secret_file: Type.Optional(filledText(4096)),
    scopes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,200}$' }), {
        maxItems: 20,
        description: 'a list of scopes, such as [openid, profile, email]',
      }),
    ),
    groups_claim: Type.Optional(claimName),
    groups: Type.Optional(
      Type.Record(Type.String(), Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$' }), {
        description:
          'a map from values of the claim to names of groups, which are lower-case letters, digits, "-" and "_"',
      }),
    ),
    required_claims: Type.Optional(
      Type.Record(Type.String(), Type.Array(filledText(500), { minItems: 1, maxItems: 100 }), {
        description: 'a map from claims to lists of the values that let somebody in, such as {hd: [example.com]}',
      }),
    ),
    git_provider: Type.Optional(
      Type.Enum(['gitlab', 'gitea', 'forgejo'], {
        description: 'gitlab, gitea or forgejo, whose accounts of OpenID Connect are those of their Git',
      }),
    ),
    git_base_url: Type.Optional(filledText(500)),
    create_users: Type.Optional(Type.Boolean({ description: 'true or false' })),
  },
  { additionalProperties: false, description: 'a map of keys and values' },
)
type Entry = Static<typeof Entry>

/** One OpenID Connect provider, checked. */
export interface SignInProvider {
  readonly id: string
  /** For people. */
  readonly name: string
  /** Exactly as the provider spells it. */
  readonly issuer: string
  readonly clientId: string
  /** Undefined: a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined
  readonly scopes: readonly string[]
  readonly groupsClaim: string | undefined
  /** Groups of this installation by values of the claim. */
  readonly groups: ReadonlyMap<string, string>
  /** Claims of which one of the values must be there. */
  readonly requiredClaims: ReadonlyMap<string, readonly string[]>
  /** Whether the first sign-in of an unknown account makes a user. */
  readonly createUsers: boolean
  /** Where it is a Git provider too, whose account ids are its subjects. */
  readonly git: { readonly provider: string; readonly baseUrl: string } | undefined
}

const USUAL_SCOPES = ['openid', 'profile', 'email']

/** Throws ConfigWrong with one line that names entry and key, and never a value that may be secret. */
export function readSignInProviders(entries: readonly unknown[], cwd: string): readonly SignInProvider[] {
  const providers = entries.map((entry, index) => readProvider(readEntry(entry, index + 1), index + 1, cwd))
  for (const key of ['id', 'issuer'] as const) {
    const values = providers.map((provider) => provider[key])
    const twice = values.find((value, index) => values.indexOf(value) !== index)
    if (twice !== undefined) throw new ConfigWrong(`sign_in_providers has two entries with the ${key} ${twice}.`)
  }
  return providers
}

function readEntry(entry: unknown, number: number): Entry {
  if (Value.Check(Entry, entry)) return entry
  const [fault] = Value.Errors(Entry, entry)
  const [key = '', ...deeper] = fault?.instancePath.slice(1).split('/') ?? []
  if (key === '' && fault?.keyword === 'required') {
    return wrong(number, `lacks ${fault.params.requiredProperties.join(' and ')}`)
  }
  if (key === '') return wrong(number, 'must be a map of keys and values')
  const property = new Map<string, object>(Object.entries(Entry.properties)).get(key)
  if (property === undefined) return wrong(number, `has an unknown key "${key}"`)
  const form = 'description' in property ? String(property.description) : 'of the right form'
  const place = deeper.length === 0 ? '' : ` (at ${deeper.join('.')})`
  return wrong(number, `has a wrong ${key}: it must be ${form}${place}`)
}

function readProvider(entry: Entry, number: number, cwd: string): SignInProvider {
  const { issuer, scopes = USUAL_SCOPES, groups_claim: groupsClaim, groups = {} } = entry
  if (!isIssuer(issuer)) {
    wrong(number, `has a wrong issuer: it must be an https address without query and fragment (http on loopback alone)`)
  }
  if (groupsClaim === undefined && Object.keys(groups).length > 0) wrong(number, 'has groups, and lacks groups_claim')
  return {
    id: entry.id,
    name: entry.name,
    issuer,
    clientId: entry.client_id,
    clientSecret: readSecret(entry, number, cwd),
    scopes: [...new Set(['openid', ...scopes])],
    groupsClaim,
    groups: new Map(Object.entries(groups)),
    requiredClaims: new Map(Object.entries(entry.required_claims ?? {})),
    createUsers: entry.create_users ?? false,
    git: readGit(entry, number),
  }
}

/** Its own address is mostly that of the issuer. */
function readGit(entry: Entry, number: number): SignInProvider['git'] {
  const { git_provider: provider, git_base_url: given, issuer } = entry
  if (provider === undefined && given !== undefined) wrong(number, 'has a git_base_url, and lacks git_provider')
  const baseUrl = (given ?? issuer).replace(/\/+$/, '')
  if (given !== undefined && !isIssuer(baseUrl)) {
    wrong(number, 'has a wrong git_base_url: it must be an https address without query and fragment')
  }
  return provider === undefined ? undefined : { provider, baseUrl }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** An issuer is compared letter by letter with what the provider says, so it is kept as it is written. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || !/^https?:\/\/[^?#\s\\]+$/.test(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}

function readSecret({ client_secret, client_secret_file }: Entry, number: number, cwd: string): string | undefined {
  if (client_secret_file === undefined) return client_secret
  if (client_secret !== undefined) wrong(number, 'has both client_secret and client_secret_file: leave one out')
  let secret: string
  try {
    secret = readFileSync(resolve(cwd, client_secret_file), 'utf8').trim()
  } catch {
    return wrong(number, `names the client_secret_file ${client_secret_file}, which cannot be read`)
  }
  if (secret === '') wrong(number, `names the client_secret_file ${client_secret_file}, which is empty`)
  return secret
}

function wrong(number: number, fault: string): never {
  throw new ConfigWrong(`sign_in_providers: entry ${number} ${fault}.`)
}
