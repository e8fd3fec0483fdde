interface Precondition {
  readonly name: string
  readonly value: string
}

/** The names of what is no longer as it was planned; empty: nothing has changed. */
export function findChanged(planned: readonly Precondition[], now: readonly Precondition[]): readonly string[] {
  const names = new Set([...planned, ...now].map(({ name }) => name))
  return [...names].filter((name) => valueOf(planned, name) !== valueOf(now, name))
}

function valueOf(all: readonly Precondition[], name: string): string | undefined {
  return all.find((one) => one.name === name)?.value
}
