// What a rider throws to end a transaction that must not be committed. It passes through the called route, which may give it
// as the cause of a problem of its own.

export class PlanSignal extends Error {
  override readonly name: string = 'PlanSignal'
}

/** In place of the commit of a rehearsal. */
export class Rehearsal extends PlanSignal {
  override readonly name = 'Rehearsal'
}

/** What the plan counts on is no longer so: the names of it. Nothing was done. */
export class PlanStale extends PlanSignal {
  override readonly name = 'PlanStale'
  readonly changed: readonly string[]

  constructor(changed: readonly string[]) {
    super('what the plan counts on has changed')
    this.changed = changed
  }
}

/** The plan was no longer open when it was to be consumed. Nothing was done. */
export class PlanNotOpen extends PlanSignal {
  override readonly name = 'PlanNotOpen'
}

/** Some right of somebody changed since the planner was judged: judge again. */
export class RightsChanged extends PlanSignal {
  override readonly name = 'RightsChanged'
}

/** The signal behind an error; undefined where it has another reason. */
export function signalIn(error: unknown): PlanSignal | undefined {
  if (error instanceof PlanSignal) return error
  return error instanceof Error && error.cause !== undefined ? signalIn(error.cause) : undefined
}
