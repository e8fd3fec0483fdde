import type { Requirement } from '#rooms/catalog/profiles'

/** The needs of a run or an attempt. */
export interface RunnerNeed {
  readonly scope: string
  readonly requirement: Requirement
}

/** One runner at one moment. */
export interface RunnerState {
  readonly id: string
  readonly name: string
  /** '/' or a team path: whose scopes it may serve at all. */
  readonly teamPath: string
  readonly serves: (scope: string) => boolean
  readonly executors: readonly string[]
  readonly labels: ReadonlySet<string>
  readonly enabled: boolean
  /** By an operator's wish or its own. */
  readonly draining: boolean
  readonly reachable: boolean
  readonly lastSeenAt: Date | null
  /** Free slots; 0 and less: none. */
  readonly free: number
}

export interface Verdict {
  readonly runnerId: string
  readonly runnerName: string
  /** A sentence. */
  readonly verdict: string
}

export interface Judgement {
  /** Ids of the runners that can take it now, the best first. */
  readonly eligible: readonly string[]
  /** Of each runner that may serve the scope's team, by name; runners of other teams are not shown. */
  readonly verdicts: readonly Verdict[]
  /** One sentence that says which condition no runner meets; null while one is eligible. */
  readonly reason: string | null
  /** The same as a word. */
  readonly unmet?: UnmetCondition
}

export type UnmetCondition = 'scope' | 'executor' | 'labels' | 'enabled' | 'working' | 'reachable' | 'free'

interface Condition {
  readonly name: UnmetCondition
  readonly holds: (runner: RunnerState, need: RunnerNeed) => boolean
  /** The sentence about one runner that fails the condition. */
  readonly verdict: (runner: RunnerState, need: RunnerNeed) => string
  /** The sentence about all runners that met the conditions before and fail this one. */
  readonly reason: (left: readonly RunnerState[], need: RunnerNeed, adjectives: string) => string
  /** For runners that meet this condition, where others do not. */
  readonly adjective?: string
}

/** In this order: the scopes that a runner serves, then what it can do, then its state. */
const CONDITIONS: readonly Condition[] = [
  {
    name: 'scope',
    holds: (runner, need) => covers(runner.teamPath, need.scope) && runner.serves(need.scope),
    verdict: (_, need) => `The runner does not serve the scope ${need.scope}.`,
    reason: (_, need) => `No runner serves the scope ${need.scope}.`,
  },
  {
    name: 'executor',
    holds: (runner, need) => runner.executors.includes(need.requirement.executor),
    verdict: (_, need) => `The runner does not ${describeExecutor(need)}.`,
    reason: (_, need) => `No runner that serves the scope ${need.scope} can ${describeExecutor(need)}.`,
  },
  {
    name: 'labels',
    holds: (runner, need) => missingLabels(runner, need).length === 0,
    verdict: (runner, need) => `The runner lacks ${describeLabels(missingLabels(runner, need))}.`,
    reason: (_, need) =>
      `No runner that serves the scope ${need.scope} has ${describeLabels(need.requirement.labels)}.`,
  },
  {
    name: 'enabled',
    holds: (runner) => runner.enabled,
    verdict: () => 'The runner is disabled.',
    reason: (left, need, adjectives) => `${subject(left, need, adjectives)} ${are(left)} disabled.`,
    adjective: 'enabled',
  },
  {
    name: 'working',
    holds: (runner) => !runner.draining,
    // A drained runner that has ended is not missing, because an operator wanted it so.
    verdict: (runner) => `The runner is ${describeDrain([runner])}.`,
    reason: (left, need, adjectives) => `${subject(left, need, adjectives)} ${are(left)} ${describeDrain(left)}.`,
    adjective: 'working',
  },
  {
    name: 'reachable',
    holds: (runner) => runner.reachable,
    verdict: (runner) => `The runner ${describeSilence([runner])}.`,
    reason: (left, need, adjectives) => `${subject(left, need, adjectives)} ${describeSilence(left)}.`,
    adjective: 'reachable',
  },
  {
    name: 'free',
    holds: (runner) => runner.free > 0,
    verdict: () => 'The runner has no free slot.',
    reason: (left, need, adjectives) => `${subject(left, need, adjectives)} ${have(left)} no free slot.`,
  },
]

/** The runners that can take it now, the best first; or the reason why none can. `runners` are in any order. */
export function judge(need: RunnerNeed, runners: readonly RunnerState[]): Judgement {
  const known = runners.filter((runner) => covers(runner.teamPath, need.scope)).sort(byName)
  const verdicts = known.map((runner) => ({
    runnerId: runner.id,
    runnerName: runner.name,
    verdict:
      CONDITIONS.find((condition) => !condition.holds(runner, need))?.verdict(runner, need) ??
      'The runner can take this work now.',
  }))
  let left: readonly RunnerState[] = known
  let adjectives = ''
  for (const condition of CONDITIONS) {
    const passed = left.filter((runner) => condition.holds(runner, need))
    if (passed.length === 0) {
      return { eligible: [], verdicts, reason: condition.reason(left, need, adjectives), unmet: condition.name }
    }
    if (passed.length < left.length && condition.adjective) adjectives += `${condition.adjective} `
    left = passed
  }
  return { eligible: [...left].sort(byPreference(need)).map((runner) => runner.id), verdicts, reason: null }
}

/** Fewest extra labels first, so that runners with rare labels stay free; then most free slots. */
function byPreference(need: RunnerNeed): (a: RunnerState, b: RunnerState) => number {
  const surplus = (runner: RunnerState): number => runner.labels.size - need.requirement.labels.length
  return (a, b) => surplus(a) - surplus(b) || b.free - a.free || compare(a.id, b.id)
}

function byName(a: RunnerState, b: RunnerState): number {
  return compare(a.name, b.name) || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function covers(teamPath: string, scope: string): boolean {
  return teamPath === '/' || scope.startsWith(`${teamPath}/`)
}

function missingLabels(runner: RunnerState, need: RunnerNeed): string[] {
  return need.requirement.labels.filter((label) => !runner.labels.has(label))
}

function describeExecutor(need: RunnerNeed): string {
  return need.requirement.executor === 'container' ? 'run tasks in containers' : 'run tasks on its host'
}

function describeLabels(labels: readonly string[]): string {
  return `the label${labels.length === 1 ? '' : 's'} ${labels.join(', ')}`
}

function describeDrain(draining: readonly RunnerState[]): string {
  return draining.every((runner) => !runner.reachable) ? 'drained' : 'draining'
}

function describeSilence(silent: readonly RunnerState[]): string {
  const seen = silent.flatMap((runner) => (runner.lastSeenAt ? [runner.lastSeenAt.getTime()] : []))
  if (seen.length === 0) return `${have(silent)} never connected`
  return `${are(silent)} unreachable since ${new Date(Math.max(...seen)).toISOString()}`
}

function subject(left: readonly RunnerState[], need: RunnerNeed, adjectives: string): string {
  const [only] = left
  const asks = need.requirement.labels.length > 0 || need.requirement.executor !== 'host'
  const scope = `the scope ${need.scope}`
  if (left.length === 1 && only) {
    return `The only ${adjectives}runner that serves ${scope}${asks ? ' and meets the profile' : ''}, ${only.name},`
  }
  return `The ${left.length} ${adjectives}runners that serve ${scope}${asks ? ' and meet the profile' : ''}`
}

function are(runners: readonly unknown[]): string {
  return runners.length === 1 ? 'is' : 'are'
}

function have(runners: readonly unknown[]): string {
  return runners.length === 1 ? 'has' : 'have'
}
