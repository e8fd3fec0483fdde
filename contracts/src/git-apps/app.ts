import { type Static, type TProperties, Type } from 'typebox'
import { Nullable, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'

/** `forge` is the provider of the option `forge_provider`; the other names are providers that can have an app. */
export const GIT_APP_PROVIDERS = ['github', 'gitea', 'forgejo', 'gitlab'] as const
export type GitAppProvider = (typeof GIT_APP_PROVIDERS)[number]

export const GitAppParams = Type.Object({
  provider: Type.Enum(['forge', ...GIT_APP_PROVIDERS], {
    description: 'forge: the provider of the option forge_provider.',
  }),
})
export type GitAppParams = Static<typeof GitAppParams>

export const GIT_APP_KEY_KINDS = ['private_key', 'webhook_secret'] as const

const GitAppKey = Type.Object({
  kind: Type.Enum([...GIT_APP_KEY_KINDS]),
  fingerprint: Type.String({ description: 'SHA-256 in hex: of the public key, or the first digits of the secret’s.' }),
  created_at: Time,
})

const described = {
  provider: Type.Enum([...GIT_APP_PROVIDERS]),
  app_id: Type.String({ description: 'The id at the provider; of a connection by token the login of its account.' }),
  slug: Nullable(Type.String()),
  name: Nullable(Type.String()),
  base_url: Type.String({ description: "The provider's address for people, without a slash at the end." }),
  html_url: Nullable(Type.String({ description: "The app's page at the provider." })),
  account: Nullable(Type.String({ description: 'Who owns the app at the provider.' })),
  team_path: Nullable(Type.String({ description: 'The team that owns the source of the app.' })),
  has_private_key: Type.Boolean(),
  webhook_configured: Type.Boolean({ description: 'A webhook secret is stored, and a source takes the deliveries.' }),
  source_id: Nullable(Uuid),
  webhook_url: Nullable(Type.String({ description: 'Where the provider sends the deliveries of the app.' })),
  credential_ref: Nullable(Type.String({ description: 'Of a connection by token: the stored token.' })),
  permissions: Type.Record(Type.String(), Type.String(), { description: 'What the app was given at the provider.' }),
  events: Type.Array(Type.String()),
  keys: Type.Array(GitAppKey, { description: 'Live keys, newest first; two of a kind while one is rotated.' }),
  updated_at: Time,
} satisfies TProperties

/** Settings of an app; the empty document where none is registered. Keys and secrets are never returned. */
export const GitApp = Type.Partial(Type.Object(described))
export type GitApp = Static<typeof GitApp>

const readOnly = Type.Partial(
  Type.Object({
    provider: Type.Unknown(),
    name: Type.Unknown(),
    html_url: Type.Unknown(),
    account: Type.Unknown(),
    has_private_key: Type.Unknown(),
    webhook_configured: Type.Unknown(),
    source_id: Type.Unknown(),
    webhook_url: Type.Unknown(),
    permissions: Type.Unknown(),
    events: Type.Unknown(),
    keys: Type.Unknown(),
    updated_at: Type.Unknown(),
  }),
).properties

/**
 * Body of PUT. `app_id` is required. Keys that are left out stay; a new one takes the place of the older of two, so that
 * both are good while the provider changes over. `keep_previous: false` ends the older at once.
 */
export const GitAppDocument = Type.Object(
  {
    app_id: Type.Optional(Type.String({ maxLength: 100 })),
    slug: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    private_key: Type.Optional(Type.String({ maxLength: 20_000, description: 'A PEM block with its newlines.' })),
    webhook_secret: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    base_url: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    team_path: Type.Optional(Nullable(TeamPath)),
    credential_ref: Type.Optional(Nullable(Type.String({ maxLength: 700 }))),
    keep_previous: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    ...readOnly,
  },
  STRICT,
)
export type GitAppDocument = Static<typeof GitAppDocument>

const Grants = Type.Record(Type.String({ maxLength: 60 }), Type.Enum(['read', 'write', 'admin']))

/** Body of the start of a registration. */
export const GitAppRegistration = Type.Object(
  {
    organization: Type.Optional(Type.String({ maxLength: 100 })),
    organisation: Type.Optional(Type.String({ maxLength: 100, description: 'Another spelling of organization.' })),
    callback_url: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'The address of this service as the provider and browsers reach it.',
      }),
    ),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 34 })),
    base_url: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    team_path: Type.Optional(TeamPath),
    permissions: Type.Optional(Grants),
    events: Type.Optional(Type.Array(Type.String({ maxLength: 60 }), { maxItems: 50 })),
  },
  STRICT,
)
export type GitAppRegistration = Static<typeof GitAppRegistration>

export const GitAppManifest = Type.Object({ name: Type.String() }, { additionalProperties: true })

export const StartedRegistration = Type.Object({
  url: Type.String({ description: 'Where a browser posts the manifest to, as the form field `manifest`.' }),
  state: Type.String(),
  manifest: GitAppManifest,
  form_url: Type.String({ description: 'A page of this service that posts the manifest: open it in a browser.' }),
  expires_at: Time,
})
export type StartedRegistration = Static<typeof StartedRegistration>

export const StartedInstallation = Type.Object({
  url: Type.String({ description: 'The page of the provider that installs the app: open it in a browser.' }),
  state: Type.String(),
  expires_at: Time,
})
export type StartedInstallation = Static<typeof StartedInstallation>

/** Parameters of the ways back; what is missing or wrong leads to the page with an error. */
export const GitAppCallbackQuery = Type.Object({}, { additionalProperties: true })
export type GitAppCallbackQuery = Static<typeof GitAppCallbackQuery>

export const GitAppFormQuery = Type.Object({ state: Type.String({ maxLength: 200 }) }, STRICT)
export type GitAppFormQuery = Static<typeof GitAppFormQuery>

/** Why a way back changed nothing: `#/system/git-apps?error=expired`. The words for them are the page's. */
export const GIT_APP_ERRORS = [
  'state_mismatch',
  'expired',
  'denied',
  'pending_approval',
  'exchange_failed',
  'provider_unreachable',
  'installation_unknown',
  'already_registered',
  'not_registered',
  'unavailable',
  'interrupted',
] as const
export type GitAppError = (typeof GIT_APP_ERRORS)[number]

/** What a way back did: `#/system/git-apps?outcome=registered`. */
export const GIT_APP_OUTCOMES = ['registered', 'installed', 'updated'] as const
export type GitAppOutcome = (typeof GIT_APP_OUTCOMES)[number]

/**
 * What became of the newest registration of the last day. `asking`: the provider is asked for the app. `finishing`: its
 * answer is stored, the app is not yet; a restart of the service goes on there. `interrupted` is the error of one that
 * ended while the provider was asked: an app may be left over there, without its key being here.
 */
export const RegistrationState = Type.Object({
  status: Type.Enum(['none', 'waiting', 'asking', 'finishing', 'registered', 'failed'], {
    description: 'waiting: for the browser to come back. none: none was begun, or a day ago.',
  }),
  error: Nullable(
    Type.Enum([...GIT_APP_ERRORS], { description: 'Why it failed; the words are those of the way back.' }),
  ),
  started_at: Nullable(Time),
  ended_at: Nullable(Time),
})
export type RegistrationState = Static<typeof RegistrationState>
