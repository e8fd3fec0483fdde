/** The values that must come back unchanged; the room keeps them between the way out and the way back. */
export interface OpenIdTransaction {
  readonly state: string
  readonly nonce: string
  /** Of PKCE. */
  readonly verifier: string
}

/** `unreachable`: the provider does not answer, or answers 429 or 5xx. `invalid`: its answer cannot be believed. */
export type OpenIdFault = 'unreachable' | 'invalid'

/** `reason`: a sentence for the log; it never holds a secret, a code or a text of the provider. */
export interface OpenIdFailed {
  readonly outcome: 'failed'
  readonly fault: OpenIdFault
  readonly reason: string
}

/** The way to the provider. */
export type Begun =
  | { readonly outcome: 'begun'; readonly url: string; readonly transaction: OpenIdTransaction }
  | OpenIdFailed

/** An account at a provider, proved. */
export interface OpenIdAccount {
  readonly issuer: string
  /** The account's name at the issuer: never another account's. */
  readonly subject: string
  /** Of the id token, and beside them those of the userinfo endpoint. Text from outside: any JSON. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** `denied`: the person, or the provider for them, refused. */
export type Completed =
  | { readonly outcome: 'proved'; readonly account: OpenIdAccount }
  | { readonly outcome: 'denied' }
  | OpenIdFailed

/** One provider of OpenID Connect, by the authorization code flow with PKCE. Nothing here throws on what a provider sends. */
export interface OpenIdProvider {
  readonly id: string
  /** For people. */
  readonly name: string
  readonly issuer: string
  /** `redirectUri`: where the provider sends the browser back to, without a query. */
  begin(redirectUri: string): Promise<Begun>
  /**
   * Exchanges the code for the account. `query`: that of the address at which the browser came back. Call it once for a
   * transaction: the provider takes a code for a replay when it comes twice.
   */
  complete(redirectUri: string, query: string, transaction: OpenIdTransaction): Promise<Completed>
}
