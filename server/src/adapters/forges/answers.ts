/**
 * Where and as whom a provider's API is called. The connection comes from the source's settings, never from a payload.
 */
export interface ForgeConnection {
  /** The provider's address for people, without a slash at the end: https://gitlab.example.com */
  readonly baseUrl: string
  /** A token of the provider, or `user:token` where it wants HTTP Basic. Undefined: asks anonymously. */
  readonly token: string | undefined
  /** Ends the call. Each call also has a time limit of its own. */
  readonly signal: AbortSignal
  /** A list with more pages than are read fails, in place of losing its end; left out: it does not. */
  readonly wholeLists?: boolean
}

/**
 * The result of a call to the provider. `not_found`: the provider does not have it, or does not show it to this token.
 * `failed`: the provider was unreachable, refused the credential, limits its rate, or gave an undocumented answer;
 * `reason` is a sentence without any secret. `retry`: it may go well later.
 */
export type ForgeAnswer<T> =
  | { readonly outcome: 'found'; readonly value: T }
  | { readonly outcome: 'not_found' }
  | ForgeFailure

export interface ForgeFailure {
  readonly outcome: 'failed'
  readonly reason: string
  readonly retry: boolean
  /** `refused`: the credential; `suspended`: the installation. Undefined: none of them. */
  readonly cause?: 'unreachable' | 'limited' | 'refused' | 'suspended' | 'invalid'
  /** The status of the provider's answer. */
  readonly status?: number
  /** After how long the provider wants to be asked again, where it says so. */
  readonly retryAfterMs?: number
}
