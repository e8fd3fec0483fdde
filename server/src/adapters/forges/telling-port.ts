import type { ForgeAnswer, ForgeConnection } from './answers.ts'

export const CHECK_CONCLUSIONS = [
  'success',
  'failure',
  'neutral',
  'cancelled',
  'skipped',
  'timed_out',
  'action_required',
] as const

/** A mark at a line of a file, from a line of a task's log. */
export interface CheckAnnotation {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  readonly level: 'notice' | 'warning' | 'failure'
  readonly title: string | null
  readonly message: string
}

/** What a check run shows beside a commit. */
export interface CheckRun {
  readonly repository: string
  readonly commitSha: string
  /** The same name as the context of a status: a protected branch asks for one of them. */
  readonly name: string
  /** The id of our run, which comes back with "rerun". */
  readonly externalId: string
  readonly detailsUrl: string
  readonly status: 'queued' | 'in_progress' | 'completed'
  /** Null until it is completed. */
  readonly conclusion: (typeof CHECK_CONCLUSIONS)[number] | null
  readonly title: string
  /** Markdown; cut to what the provider takes. */
  readonly summary: string
  readonly startedAt: string | null
  readonly completedAt: string | null
}

/** Checks: more than a status. Only apps may write them. */
export interface ForgeChecks {
  /** How many annotations a call takes. */
  readonly annotationsPerCall: number
  /** Answers the provider's id of the check run. */
  create(connection: ForgeConnection, check: CheckRun): Promise<ForgeAnswer<string>>
  update(connection: ForgeConnection, checkId: string, check: CheckRun): Promise<ForgeAnswer<null>>
  /** At most `annotationsPerCall`; they are added to those that are there. */
  annotate(
    connection: ForgeConnection,
    checkId: string,
    check: CheckRun,
    annotations: readonly CheckAnnotation[],
  ): Promise<ForgeAnswer<null>>
  /** The id of our check run at this commit by its `externalId`, where the answer to `create` was lost. */
  findId(connection: ForgeConnection, check: CheckRun): Promise<ForgeAnswer<string>>
  /** How many annotations a check run has, where the answer to `annotate` was lost. */
  countAnnotations(connection: ForgeConnection, repository: string, checkId: string): Promise<ForgeAnswer<number>>
  /** Whom a delivery asks to run again; undefined: it asks for nothing. Call it only with what `verify` accepted. */
  readRerun(eventType: string, payload: unknown): CheckRerun | undefined
}

/** A person wants checks run again. */
export interface CheckRerun {
  readonly commitSha: string
  /** Our run's id, of one check; null: all checks of the commit that failed. */
  readonly externalId: string | null
}

/** A place where comments stand. */
export interface CommentPlace {
  readonly repository: string
  /** The number of the pull request. */
  readonly number: number
}

export interface FoundComment {
  readonly commentId: string
  readonly authorId: string | null
  readonly body: string
  /** As the author is called now; left out where the provider does not say. */
  readonly authorLogin?: string | null
  /** Left out where the provider does not tell bots from people. */
  readonly authorIsBot?: boolean
  /**
   * Whether the words were changed after they were posted; left out where the provider does not tell. GitLab does not:
   * more than words moves the time of a note.
   */
  readonly isEdited?: boolean
}

export const REACTIONS = ['seen', 'done', 'refused', 'confused'] as const
export type Reaction = (typeof REACTIONS)[number]

/** Comments at a pull request. */
export interface ForgeComments {
  /** The longest body that the provider takes, in characters. */
  readonly maxLength: number
  create(connection: ForgeConnection, place: CommentPlace, body: string): Promise<ForgeAnswer<string>>
  /** `not_found`: somebody deleted it. */
  update(connection: ForgeConnection, place: CommentPlace, commentId: string, body: string): Promise<ForgeAnswer<null>>
  /** The first comment whose body holds the marker, where the answer to `create` was lost. */
  findByMarker(connection: ForgeConnection, place: CommentPlace, marker: string): Promise<ForgeAnswer<FoundComment>>
  /** The comment as it is now: an edited or deleted one gives no command. */
  find(connection: ForgeConnection, place: CommentPlace, commentId: string): Promise<ForgeAnswer<FoundComment>>
  /** Null: the provider has no reactions. */
  readonly react:
    | ((
        connection: ForgeConnection,
        place: CommentPlace,
        commentId: string,
        reaction: Reaction,
      ) => Promise<ForgeAnswer<null>>)
    | null
}
