export interface UndeclaredVariable {
  readonly name: string
  readonly message: string
}

/**
 * The names among those given that a pipeline does not declare. A variable becomes part of the environment of tasks. A
 * misspelt name would silently change nothing; a name such as PATH or LD_PRELOAD would change what a task runs.
 */
export function findUndeclaredVariables(
  pipeline: { readonly identifier: string; readonly variables: Readonly<Record<string, unknown>> },
  given: readonly string[],
): UndeclaredVariable[] {
  const message = `is not a variable of ${pipeline.identifier}`
  return given.filter((name) => !Object.hasOwn(pipeline.variables, name)).map((name) => ({ name, message }))
}
