import type { GraphLimits } from '../../graph/container-limits.ts'
import type { TaskType } from '../../tasks/index.ts'
import type { Position } from '../problem.ts'
import type { SourceEntry } from '../source-tree.ts'
import type { Placed, PlacedText } from './placed.ts'

/** What steps and tasks have in common. A part that is absent or malformed is undefined (and reported elsewhere). */
export interface NodeOutline extends Position {
  readonly directive: string
  readonly name: Placed<string> | undefined
  readonly dependsOn: readonly Placed<string>[]
  readonly condition: PlacedText | undefined
  readonly timeout: Placed<string> | undefined
  readonly ignoreFailure: Placed<boolean> | undefined
  /** All of its directives by name, to see which are there and where. */
  readonly directives: ReadonlyMap<string, SourceEntry>
}

export interface TaskOutline extends NodeOutline {
  /** The directives that make it one kind of task or another: exactly one, in a sound document. */
  readonly types: readonly TaskType[]
  /** The text of a directive of its kind. */
  readonly textAt: (directive: string) => string | undefined
  readonly env: ReadonlyMap<string, Placed<string>>
  readonly inputs: ReadonlyMap<string, Placed<string>>
  readonly outputs: ReadonlyMap<string, { readonly sensitive: boolean }>
  readonly retry: RetryOutline | undefined
  readonly idempotent: boolean
  readonly checkout: CheckoutOutline | undefined
  readonly profile: Placed<string> | undefined
  readonly script: Placed<string> | undefined
  readonly pipeline: Placed<string> | undefined
  readonly container: ContainerOutline
  readonly artifacts: ArtifactsOutline | undefined
  readonly needsArtifacts: readonly Placed<string>[]
  readonly cache: CacheOutline | undefined
  /** Set in the one task of a step that waits for people. */
  readonly approval: ApprovalOutline | undefined
}

/** False: none. */
export type CheckoutOutline = boolean | CheckoutOptionsOutline

export interface CheckoutOptionsOutline {
  readonly depth: Placed<number> | undefined
  readonly tags: boolean
  readonly submodules: boolean | 'recursive'
  readonly lfs: boolean
  readonly sparse: readonly Placed<string>[]
  readonly merge: boolean
}

export interface RetryOutline {
  readonly attempts: number
  readonly backoff: Placed<string> | undefined
  readonly exitCodes: readonly number[] | undefined
}

export interface ContainerOutline {
  readonly image: Placed<string> | undefined
  readonly user: string | undefined
  readonly network: Placed<string> | undefined
  readonly readOnly: boolean
  readonly limits: GraphLimits
  /** One for the registry of all its images. */
  readonly registryCredential: Placed<string> | undefined
  /** By the host of a registry. */
  readonly registryCredentials: ReadonlyMap<string, Placed<string>>
  readonly pullPolicy: Placed<string> | undefined
  readonly services: readonly ServiceOutline[]
}

export interface ServiceOutline extends Position {
  readonly directive: string
  readonly name: Placed<string> | undefined
  readonly image: Placed<string> | undefined
  readonly env: ReadonlyMap<string, Placed<string>>
  readonly command: readonly Placed<string>[]
  readonly limits: GraphLimits
}

export interface ArtifactsOutline {
  readonly name: Placed<string> | undefined
  readonly paths: readonly Placed<string>[]
  readonly when: string | undefined
  readonly retention: Placed<string> | undefined
}

export interface CacheOutline {
  readonly key: Placed<string> | undefined
  readonly files: readonly Placed<string>[]
  readonly paths: readonly Placed<string>[]
  readonly fallback: readonly Placed<string>[]
}

export interface StepOutline extends NodeOutline {
  /** Every `when` of the step, its shorter forms included. */
  readonly when: readonly Placed<string>[]
  readonly scope: Placed<string> | undefined
  readonly profile: Placed<string> | undefined
  readonly matrix: MatrixOutline | undefined
  readonly workspace: Placed<string> | undefined
  readonly approval: ApprovalOutline | undefined
  readonly tasks: readonly TaskOutline[]
}

export interface MatrixOutline extends Position {
  readonly directive: string
  readonly axes: ReadonlyMap<string, readonly Placed<string>[]>
  readonly include: readonly MatrixEntry[]
  readonly exclude: readonly MatrixEntry[]
}

export interface MatrixEntry extends Position {
  readonly directive: string
  readonly values: ReadonlyMap<string, Placed<string>>
}

export interface ApprovalOutline extends Position {
  readonly directive: string
  readonly approvers: readonly Placed<string>[]
  readonly required: Placed<number> | undefined
  readonly timeout: Placed<string> | undefined
  readonly remindAfter: Placed<string> | undefined
  readonly allowSelf: boolean
  readonly message: string | undefined
  readonly fields: readonly FieldOutline[]
}

export interface FieldOutline extends Position {
  readonly directive: string
  readonly name: Placed<string> | undefined
  readonly type: string | undefined
  readonly required: boolean
  readonly options: readonly Placed<string>[]
  readonly default: Placed<string> | undefined
  readonly description: string | undefined
}

export interface FinalOutputOutline extends Position {
  readonly directive: string
  readonly name: Placed<string> | undefined
  readonly format: string | undefined
  readonly template: Placed<string> | undefined
}

/** The document as far as it can be read: later checks look at every part that is sound on its own. */
export interface Outline {
  readonly name: Placed<string> | undefined
  readonly variables: ReadonlyMap<string, Placed<string>>
  readonly secrets: ReadonlyMap<string, Placed<string>>
  readonly profile: Placed<string> | undefined
  readonly timeout: Placed<string> | undefined
  readonly queueTimeout: Placed<string> | undefined
  readonly priority: number | undefined
  readonly checkout: CheckoutOutline | undefined
  readonly concurrency: { readonly group: PlacedText; readonly onConflict: string | undefined } | undefined
  readonly steps: readonly StepOutline[]
  readonly finalOutputs: readonly FinalOutputOutline[]
}
