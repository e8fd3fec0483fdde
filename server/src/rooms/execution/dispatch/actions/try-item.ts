import type { KnowledgeTrial, KnowledgeTrialResult, TriedRun } from '@signalbox/contracts/trials'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { toWireTime } from '#platform/time'
import type { Knowledge, PreparedTrial } from '#rooms/catalog/knowledge'
import type { Runs } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { judgedRun } from '../rules/judged.ts'
import {
  type Asked,
  happenedTo,
  isOther,
  type PastPlace,
  type PastRun,
  pastPlaces,
  unknownOf,
  verdictOf,
} from '../rules/past-run.ts'

export const TRIAL_LIMITS = {
  /** For all evaluations of one trial: a few seconds at worst, as the budget of one place is tens of milliseconds. */
  steps: 5_000_000,
  /** Besides its evaluation a place costs so much: what rules read is bound anew. */
  stepsOfPlace: 100,
  /** Pages wait 30 s for an answer. */
  totalMs: 20_000,
  /** After so much work others get their turn. */
  sliceMs: 10,
  /** So many runs are read at a time. */
  batch: 10,
  /** Trials that wait for their turn or have it: those of one caller, and those of all. */
  perCaller: 2,
  perProcess: 16,
}

const DEFAULT_RUNS = 50

interface TrialMeans extends Pick<Means, 'clock'> {
  readonly knowledge: Pick<Knowledge, 'prepareTrial' | 'violatorsOf'>
  readonly runs: { readonly progress: Pick<Runs['progress'], 'past'> }
}

/** Ends when the signal aborts: whoever went away is not worked for. */
export type TryItem = (caller: Caller, wish: KnowledgeTrial, signal: AbortSignal) => Promise<KnowledgeTrialResult>

/**
 * What one item would have made of past runs that the caller may read. It stores and starts nothing. Trials take turns
 * within a process. Throws what `prepareTrial` throws, and rate_limited (429) where too many wait already.
 */
export function createTrials(means: TrialMeans): TryItem {
  const line = new Line()
  return async (caller, wish, signal) => {
    const item = await means.knowledge.prepareTrial(caller, wish)
    return await line.take(`${caller.kind}:${caller.id}`, () => {
      signal.throwIfAborted()
      return new Trial(means, item, signal).run(caller, wish)
    })
  }
}

/** Trials, one after the other. */
class Line {
  #last: Promise<unknown> = Promise.resolve()
  readonly #callers: string[] = []

  async take<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const own = this.#callers.filter((other) => other === caller).length
    if (own >= TRIAL_LIMITS.perCaller || this.#callers.length >= TRIAL_LIMITS.perProcess) {
      throw platformProblem('rate_limited', 'Other trials are not over yet. Wait, then try again.', {
        headers: { 'retry-after': String(TRIAL_LIMITS.totalMs / 1000) },
      })
    }
    this.#callers.push(caller)
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      this.#callers.splice(this.#callers.indexOf(caller), 1)
    }
  }
}

class Trial {
  readonly #means: TrialMeans
  readonly #item: PreparedTrial
  readonly #signal: AbortSignal
  readonly #endsAt: number
  #turnAt: number
  #left: number = TRIAL_LIMITS.steps

  constructor(means: TrialMeans, item: PreparedTrial, signal: AbortSignal) {
    this.#means = means
    this.#item = item
    this.#signal = signal
    this.#turnAt = means.clock.monotonic()
    this.#endsAt = this.#turnAt + TRIAL_LIMITS.totalMs
  }

  async run(caller: Caller, wish: KnowledgeTrial): Promise<KnowledgeTrialResult> {
    const { pipeline, scope, team_path, limit = DEFAULT_RUNS } = wish
    const isNarrowed = pipeline !== undefined || scope !== undefined || team_path !== undefined
    const teamPath = isNarrowed ? team_path : this.#item.teamPath
    const listed = await this.#means.runs.progress.past.list(caller, { pipeline, scope, teamPath, limit })
    const runs: TriedRun[] = []
    for (let at = 0; at < listed.length; at += TRIAL_LIMITS.batch) {
      const batch = listed.slice(at, at + TRIAL_LIMITS.batch)
      for (const past of await this.#means.runs.progress.past.read(batch)) {
        const tried = await this.#tryOn(past)
        if (tried === undefined) return this.#answer(runs, listed.length)
        runs.push(tried)
      }
    }
    return this.#answer(runs)
  }

  /** Undefined: the budget of the trial is spent. */
  async #tryOn(past: PastRun): Promise<TriedRun | undefined> {
    const { facts, status, reason } = past
    const { known, lost } = pastPlaces(past)
    const asked = await this.#ask(past, known)
    if (asked === undefined) return undefined
    const violators = status === 'failure' && reason !== null ? this.#means.knowledge.violatorsOf(reason) : []
    const happened = happenedTo(past, violators)
    const verdict = verdictOf(asked, lost)
    return {
      run_id: facts.id,
      pipeline: facts.pipelineIdentifier,
      team_path: facts.teamPath,
      scope: facts.scope,
      status,
      queued_at: toWireTime(facts.queuedAt),
      happened,
      verdict,
      differs: isOther(verdict, happened, { item: this.#item.identifier, violators }),
      place: asked.place ? presentPlace(asked.place) : null,
      violation: asked.violation,
      places: asked.count,
      unknown: unknownOf(past, lost, verdict, happened),
    }
  }

  /** Each place in turn, until one is violated: nothing would have begun after it. */
  async #ask(past: PastRun, places: readonly PastPlace[]): Promise<Answers | undefined> {
    const run = judgedRun(past.facts)
    let judged = false
    for (const [index, place] of places.entries()) {
      if (!(await this.#goOn())) return undefined
      const trial = this.#item.ask(run, place.place, place.at)
      this.#left -= trial.steps + TRIAL_LIMITS.stepsOfPlace
      if (trial.violation !== null) return { violation: trial.violation, judged: true, place, count: index + 1 }
      judged ||= trial.judged
    }
    return { violation: null, judged, place: undefined, count: places.length }
  }

  /** False: the trial has had its time, or its steps. */
  async #goOn(): Promise<boolean> {
    this.#signal.throwIfAborted()
    const { clock } = this.#means
    const now = clock.monotonic()
    if (this.#left <= 0 || now >= this.#endsAt) return false
    if (now - this.#turnAt < TRIAL_LIMITS.sliceMs) return true
    await new Promise<void>((resolve) => clock.nextTurn(resolve))
    this.#turnAt = clock.monotonic()
    return true
  }

  #answer(runs: readonly TriedRun[], wanted = runs.length): KnowledgeTrialResult {
    const count = (verdict: TriedRun['verdict']): number => runs.filter((run) => run.verdict === verdict).length
    const isEarly = runs.length < wanted
    return {
      item: this.#item.identifier,
      tried: runs.length,
      differing: runs.filter(({ differs }) => differs).length,
      verdicts: {
        allowed: count('allowed'),
        blocked: count('blocked'),
        not_asked: count('not_asked'),
        unknown: count('unknown'),
      },
      stopped_early: isEarly
        ? `Only ${runs.length} of ${wanted} runs were tried: the rule takes too long. Let it look at less, or try fewer runs.`
        : null,
      runs: [...runs],
    }
  }
}

interface Answers extends Asked {
  /** Where it was violated. */
  readonly place: PastPlace | undefined
  readonly count: number
}

function presentPlace({ place, step, task, at }: PastPlace): NonNullable<TriedRun['place']> {
  return { at: place.at, step, task, began_at: toWireTime(at) }
}
