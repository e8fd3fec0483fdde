/** A run as rules see it; null is null for the rule, too. */
export interface JudgedRun {
  /** `<team path>/<name>` */
  readonly pipeline: string
  /** Of the pipeline. */
  readonly teamPath: string
  readonly scope: string
  readonly initiator: { readonly kind: string; readonly name: string }
  readonly cause: string
  /** `owner/name` */
  readonly repository: string | null
  readonly branch: string | null
  /** The code comes from a fork or an unknown place. */
  readonly untrusted: boolean
  readonly variables: Readonly<Record<string, string>>
}

export interface JudgedStep {
  readonly name: string
  /** Null: that of the run. */
  readonly scope: string | null
  /** Of all its tasks, services too. */
  readonly images: readonly string[]
}

export interface JudgedTask {
  readonly name: string
  /** run, pipeline or approval. */
  readonly kind: string
  /** Null: the task runs in no container. */
  readonly image: string | null
  /** The images of the task and of its services. */
  readonly images: readonly string[]
  /** As the document names it; null: the default. */
  readonly profile: string | null
  /** The script; empty where it has none. */
  readonly commands: string
}

/** The run, step or task that is about to begin. */
export type JudgedPlace =
  | { readonly at: 'run' }
  | { readonly at: 'step'; readonly step: JudgedStep }
  | { readonly at: 'task'; readonly step: JudgedStep; readonly task: JudgedTask }

export interface Verdict {
  /** Ids of the current revisions of all items that apply there, references too; from the platform downwards. */
  readonly pins: readonly string[]
  /** A sentence for the run's reason; null: it may begin. */
  readonly violation: string | null
}

/** The scope in which something begins. */
export function scopeOf(run: JudgedRun, place: JudgedPlace): string {
  return place.at === 'run' ? run.scope : (place.step.scope ?? run.scope)
}

/**
 * The scopes by which items are found: the scope of the place, and the same environment of the pipeline's team. So a rule
 * for an environment binds every pipeline there, and a rule of a team binds the team's pipelines elsewhere.
 */
export function scopesOf(run: JudgedRun, place: JudgedPlace): readonly string[] {
  return scopesFor(scopeOf(run, place), run.teamPath)
}

/** As `scopesOf`, for pipelines of a team. */
export function scopesFor(scope: string, teamPath: string): readonly string[] {
  const own = `${teamPath}/${environmentOf(scope)}`
  return own === scope ? [scope] : [scope, own]
}

export function environmentOf(scope: string): string {
  return scope.slice(scope.lastIndexOf('/') + 1)
}
