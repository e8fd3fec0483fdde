/** One piece of an environment value: literal text, or the output of a task that is guaranteed to have run. */
export type ValuePart = string | OutputReference | MatrixReference

/** Names one declared output of one task. */
export interface OutputReference {
  readonly step: string
  readonly task: string
  readonly output: string
}

/** One output of all instances of a task with a matrix: a JSON array in their order, null where one wrote none. */
export interface MatrixReference {
  readonly step: string
  readonly tasks: readonly string[]
  readonly output: string
}

/** An environment value as parts that are joined when the attempt starts; a plain literal is one string part. */
export type ValueTemplate = readonly ValuePart[]
