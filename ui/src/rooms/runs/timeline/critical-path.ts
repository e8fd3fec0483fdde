import type { RunStep } from '../run.ts'

/** A task of a run by its names. */
export function keyOf(step: string, task: string): string {
  return `${step}/${task}`
}

interface Timed {
  readonly key: string
  readonly end: number
  readonly before: readonly string[]
}

/**
 * The chain of tasks that the run's length came from: from the one that ended last, back over what each had to wait for
 * longest. Shortening another task would not have ended the run sooner.
 */
export function criticalPathOf(steps: readonly RunStep[], now: number): ReadonlySet<string> {
  const tasks = new Map(timedTasks(steps, now).map((task) => [task.key, task]))
  const path = new Set<string>()
  let at = latest([...tasks.values()])
  while (at && !path.has(at.key)) {
    path.add(at.key)
    at = latest(at.before.flatMap((key) => tasks.get(key) ?? []))
  }
  return path
}

/** Tasks that ran, with those that they waited for: of their step, else all of the steps before it. */
function timedTasks(steps: readonly RunStep[], now: number): readonly Timed[] {
  const stepOf = new Map(steps.map((step) => [step.name, step]))
  return steps.flatMap((step) =>
    step.tasks.flatMap((task) => {
      if (task.started_at === null) return []
      const end = task.finished_at === null ? now : Date.parse(task.finished_at)
      const before =
        task.depends_on.length > 0
          ? task.depends_on.map((name) => keyOf(step.name, name))
          : ranBefore(step, stepOf).flatMap((each) => each.tasks.map(({ name }) => keyOf(each.name, name)))
      return [{ key: keyOf(step.name, task.name), end, before }]
    }),
  )
}

/** The steps that a step waited for; where one of them was skipped, those before that one. */
function ranBefore(step: RunStep, stepOf: ReadonlyMap<string, RunStep>): readonly RunStep[] {
  const found = new Map<string, RunStep>()
  const seen = new Set<string>()
  const waiting = [...step.depends_on]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const before = stepOf.get(name)
    if (!before || seen.has(name)) continue
    seen.add(name)
    if (before.started_at === null) waiting.push(...before.depends_on)
    else found.set(name, before)
  }
  return [...found.values()]
}

function latest(tasks: readonly Timed[]): Timed | undefined {
  return tasks.reduce<Timed | undefined>((last, task) => (last && last.end >= task.end ? last : task), undefined)
}
