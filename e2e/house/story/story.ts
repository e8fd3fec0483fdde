import type { Told } from './providers.ts'

/** The fields of a story's scenario.yaml; see e2e/README.md. */
export interface Story {
  readonly says: string
  readonly needs?: 'containers'
  /** The story once for each of these sets of words. */
  readonly each?: readonly Readonly<Record<string, string>>[]
  /** Of the team; default: test. */
  readonly environments?: readonly string[]
  readonly secrets?: Readonly<Record<string, string>>
  /** Sources by name, as their documents; omitted fields suit the story's repository. */
  readonly sources: Readonly<Record<string, { readonly provider: string; readonly auth_mode?: string }>>
  /** Triggers by name, as their documents; the default is pushes to the repository, which start the pipeline `build`. */
  readonly triggers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Users by name, with their role in the team. */
  readonly members?: Readonly<Record<string, string>>
  readonly story: readonly Act[]
}

export type Act = Commit | Deliver | Ask | Until | Watch | Cli | ProviderKnows | ProviderTold

/** A real commit in the story's repository, called by its name from then on. */
export interface Commit {
  readonly commit: string
  readonly onto?: string
  /** Default: refs/heads/main */
  readonly ref?: string
  readonly files?: Readonly<Record<string, string>>
}

/** A delivery, as the provider of its source sends and signs it. */
export interface Deliver {
  /** push, pull_request or comment, or the name of one of the provider's fixtures. */
  readonly deliver: string
  /** The source; default: the only one. */
  readonly by?: string
  readonly tells?: Told
  /** The provider's id of the delivery; default: a new one. */
  readonly id?: string
  /** Default: right. */
  readonly proof?: 'right' | 'wrong' | 'none'
  readonly secret?: string
  readonly status: number
  readonly answer?: unknown
  /** The fields of the delivery's record, once all about it is decided. */
  readonly record?: Readonly<Record<string, unknown>>
  /** Names for its runs, which are as many. */
  readonly starts?: readonly string[]
  readonly keep?: Readonly<Record<string, string>>
}

/** A request of the API. */
export interface Ask {
  /** `PUT /v1/...` */
  readonly ask: string
  readonly body?: unknown
  /** In place of a body. */
  readonly yaml?: string
  /** A member; default: the administrator. */
  readonly as?: string
  /** Default: any of success. */
  readonly status?: number
  readonly answer?: unknown
  /** Words for what stands at these paths of the answer. */
  readonly keep?: Readonly<Record<string, string>>
}

/** A GET that is made until its answer is as expected. */
export interface Until {
  readonly until: string
  readonly answer: unknown
  readonly keep?: Readonly<Record<string, string>>
}

/** A run, followed to a status. */
export interface Watch {
  readonly run: string
  readonly is: string
  /** Of its details then. */
  readonly shows?: unknown
  readonly log?: readonly string[]
  readonly log_lacks?: readonly string[]
}

/** The command line as the administrator uses it. */
export interface Cli {
  /** Words; a list where a word holds spaces. */
  readonly cli: string | readonly string[]
  /** Default: 0 */
  readonly exit?: number
  readonly prints?: string
}

/** From now on the provider's API answers GET of that path so. */
export interface ProviderKnows {
  readonly provider_knows: string
  readonly body: unknown
}

/** The calls to the provider's API, once the last one matches. */
export interface ProviderTold {
  /** `POST /api/...` */
  readonly provider_was_told: string
  readonly last: unknown
}
