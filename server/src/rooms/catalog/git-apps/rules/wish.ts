/** What a call of the provider is for; the rights of its token follow from it. */
export const APP_USES = ['read', 'pull_requests', 'statuses', 'checks', 'comments', 'permission'] as const
export type AppUse = (typeof APP_USES)[number]

/** A credential that somebody of a team wants, for one repository. */
export interface CredentialWish {
  /** `app:<provider>`, `secret:...`, `env:...`; null: nobody is proved, the call is anonymous. */
  readonly ref: string | null
  readonly teamPath: string
  /** Full name. */
  readonly repository: string
  readonly uses: readonly AppUse[]
  /** The provider's address that will be called; an app of another address gives nothing. */
  readonly baseUrl: string
}
