import type { ForgeAnswer } from './answers.ts'

/** An app at its provider, with what proves it. A connection by a token has no key: its token stands for everything. */
export interface AppIdentity {
  readonly appId: string
  /** The app's private keys, PEM, newest first: two while one is rotated. Empty for a connection by a token. */
  readonly privateKeys: readonly string[]
  /** The stored token of a connection; undefined for an app with keys. */
  readonly token: string | undefined
}

/** Where and as which app a provider is called. */
export interface AppConnection {
  /** The provider's address for people, without a slash at the end. */
  readonly baseUrl: string
  readonly app: AppIdentity
  /** Milliseconds since 1970, by the clock of this service: a JWT names its time. */
  readonly now: number
  readonly signal: AbortSignal
}

/** What the provider made of a manifest. */
export interface RegisteredApp {
  readonly appId: string
  readonly slug: string | null
  readonly name: string | null
  readonly clientId: string | null
  readonly htmlUrl: string | null
  /** Who owns the app. */
  readonly account: string | null
  readonly permissions: Readonly<Record<string, string>>
  readonly events: readonly string[]
  readonly privateKey: string
  /** Null where the provider made none. */
  readonly webhookSecret: string | null
}

/** The app as the provider has it now. */
export interface FoundApp {
  readonly appId: string
  readonly slug: string | null
  readonly name: string | null
  readonly htmlUrl: string | null
  readonly account: string | null
  readonly permissions: Readonly<Record<string, string>>
  readonly events: readonly string[]
  /** The provider's clock less ours, in milliseconds; null where its answer named no time. */
  readonly skewMs: number | null
}

export interface FoundInstallation {
  readonly installationId: string
  readonly account: string | null
  readonly selection: 'all' | 'selected' | null
  readonly permissions: Readonly<Record<string, string>>
  readonly suspendedAt: string | null
  readonly htmlUrl: string | null
}

/** The rights that a token is narrowed to: the provider's names, such as `contents: read`. */
export type Grants = Readonly<Record<string, 'read' | 'write'>>

export interface TokenWish {
  readonly installationId: string
  /** The full name of the one repository that it may touch; null: all of the installation. */
  readonly repository: string | null
  readonly grants: Grants
}

export interface InstallationToken {
  readonly token: string
  /** Null: it does not expire by itself. */
  readonly expiresAt: string | null
}

export interface FoundRepository {
  /** The provider's id. */
  readonly id: string
  readonly fullName: string
  readonly private: boolean
  readonly defaultBranch: string | null
}

/** A page as it was last time: a provider that says "not modified" costs no rate. */
export interface KnownPage {
  readonly path: string
  readonly etag: string
  readonly repositories: readonly FoundRepository[]
}

export interface RepositoryList {
  readonly repositories: readonly FoundRepository[]
  /** The pages with their ETags, for the next time. */
  readonly pages: readonly KnownPage[]
  readonly calls: number
}

/** What the provider was told of a feature, and which right it needs: the table of docs and doctor. */
export interface FeatureGrant {
  readonly permission: string
  readonly access: 'read' | 'write'
  /** What it is for, as the end of a sentence: "to read manifests and check out commits". */
  readonly feature: string
}

/** The half of a provider's API that apps and their installations have. */
export interface ForgeApps {
  /** Null: an app is made by hand at the provider, or a token stands for it. */
  readonly registration: {
    /** The address to which a browser posts the manifest. */
    formUrl(baseUrl: string, organization: string, state: string): string
    /** The page on which a person installs the app. */
    installUrl(htmlUrl: string, state: string): string
    /** Exchanges the code once: called again it is `not_found`. */
    exchange(connection: Omit<AppConnection, 'app' | 'now'>, code: string): Promise<ForgeAnswer<RegisteredApp>>
  } | null
  /** The permissions and events that a new app asks for, with the reason for each permission. */
  readonly features: readonly FeatureGrant[]
  readonly events: readonly string[]
  /** What it cannot do that an app can, each a sentence for the person who connects it. */
  readonly lacks: readonly string[]
  /** A sentence that says why a key can never be the app's; null: it may be. */
  findKeyFault(privateKey: string): string | null
  find(connection: AppConnection): Promise<ForgeAnswer<FoundApp>>
  /** Where the provider sends the app's deliveries to; null: nowhere. Absent: the provider does not tell. */
  findWebhookUrl?(connection: AppConnection): Promise<ForgeAnswer<string | null>>
  findInstallation(connection: AppConnection, installationId: string): Promise<ForgeAnswer<FoundInstallation>>
  /** All of the app, every page. */
  listInstallations(connection: AppConnection): Promise<ForgeAnswer<readonly FoundInstallation[]>>
  /** Of a connection by a token: that token, whatever the wish. */
  createToken(connection: AppConnection, wish: TokenWish): Promise<ForgeAnswer<InstallationToken>>
  /** Every page, thousands of repositories; `known` are the pages of last time. */
  listRepositories(
    connection: AppConnection,
    wish: { readonly installationId: string; readonly token: string; readonly known: readonly KnownPage[] },
  ): Promise<ForgeAnswer<RepositoryList>>
}
