import type { Position } from './problem.ts'

/** Something outside the document that it names; whether it exists is for the caller to check. */
export interface ExternalReference extends Position {
  readonly kind: 'secret' | 'profile'
  /** `<team path>/<name>` of a secret, the name of a profile. */
  readonly target: string
  readonly directive: string
}

/** The head of a sound document; what runs is in its graph. */
export interface Pipeline {
  readonly name: string
  readonly variables: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  readonly profile: string | null
  readonly timeoutMs: number | null
  readonly checkout: boolean
  readonly stepCount: number
  readonly taskCount: number
  readonly references: readonly ExternalReference[]
}

/** Every secret and profile that the pipeline names, with where it does. */
export function references(pipeline: Pipeline): readonly ExternalReference[] {
  return pipeline.references
}
