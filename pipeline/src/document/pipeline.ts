import type { GraphCheckout } from '../graph/index.ts'
import type { Position } from './problem.ts'

/** Something outside the document that it names; whether it exists is for the caller to check. */
export interface ExternalReference extends Position {
  readonly kind: 'secret' | 'profile' | 'scope' | 'pipeline' | 'approver'
  /**
   * `<team path>/<name>` of a secret or pipeline, `<team path>/<environment>` of a scope, the name of a profile, an approver
   * such as `group:leads`.
   */
  readonly target: string
  /** A path by names, such as `steps.deploy.scope`. */
  readonly directive: string
  /** The inputs of a child pipeline: names of its variables. */
  readonly inputs: readonly ReferencedName[]
  /** The final outputs of a child pipeline that are used, by name. */
  readonly outputs: readonly ReferencedName[]
}

export interface ReferencedName extends Position {
  readonly name: string
  readonly directive: string
}

/** The head of a sound document; what runs is in its graph. */
export interface Pipeline {
  readonly name: string
  readonly variables: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  readonly profile: string | null
  readonly timeoutMs: number | null
  readonly checkout: boolean | GraphCheckout
  readonly stepCount: number
  /** With every instance of a matrix. */
  readonly taskCount: number
  /** Every secret, profile, scope, child pipeline and approver that it names, with where it does. */
  readonly references: readonly ExternalReference[]
}
