import type { TRIAL_HAPPENED, TRIAL_VERDICTS } from '@signalbox/contracts/trials'
import type { GuardPlace } from '@signalbox/pipeline/status'
import type { JudgedPlace } from '#rooms/catalog/knowledge'
import type { ProgressStore } from '#rooms/execution/runs'
import { findTask } from './find-task.ts'
import { judgingPlaces } from './judged.ts'

/** A run as rules saw it when it began. */
export type PastRun = Awaited<ReturnType<ProgressStore['past']['read']>>[number]

export type PastVerdict = (typeof TRIAL_VERDICTS)[number]
export type Happened = (typeof TRIAL_HAPPENED)[number]

/** Something that a rule is asked about again, with the time that the rule reads as `now`. */
export interface PastPlace {
  readonly place: JudgedPlace
  readonly step: string | null
  readonly task: string | null
  readonly at: Date
}

export interface PastPlaces {
  readonly known: readonly PastPlace[]
  /** Steps and tasks that began, and that the graph does not name. */
  readonly lost: number
}

/** What rules were asked about in a run, or would have been, as they see it today: earliest first. */
export function pastPlaces({ facts, places }: PastRun): PastPlaces {
  const judged = judgingPlaces(facts)
  const steps = new Map(facts.graph.steps.map((step) => [step.name, { step, task: null }]))
  const find = (step: string, task: string | null): GuardPlace | undefined =>
    task === null ? steps.get(step) : findTask(facts.graph, step, task)
  const known: PastPlace[] = []
  let lost = 0
  for (const { step, task, at } of places) {
    const guarded = step === null ? undefined : find(step, task)
    if (step !== null && guarded === undefined) lost += 1
    else known.push({ place: guarded ? judged(guarded) : { at: 'run' }, step, task, at })
  }
  return { known, lost }
}

/** What the rules of then made of it; `violators` are the items that ended it. */
export function happenedTo({ places }: PastRun, violators: readonly string[]): Happened {
  if (violators.length > 0) return 'blocked'
  return places.length === 0 ? 'not_begun' : 'allowed'
}

export interface Asked {
  readonly violation: string | null
  /** The rule was judged somewhere. */
  readonly judged: boolean
}

/** What the item would have made of it. What could not be asked may have been blocked. */
export function verdictOf({ violation, judged }: Asked, lost: number): PastVerdict {
  if (violation !== null) return 'blocked'
  if (lost > 0) return 'unknown'
  return judged ? 'allowed' : 'not_asked'
}

/** Whether the run would have gone otherwise: stopped where nothing did, or not stopped where this item alone did. */
export function isOther(verdict: PastVerdict, happened: Happened, of: { item: string; violators: readonly string[] }) {
  if (verdict === 'blocked') return happened === 'allowed'
  if (verdict === 'unknown') return false
  return happened === 'blocked' && of.violators.every((each) => each === of.item)
}

const OVER: ReadonlySet<string> = new Set(['success', 'failure', 'warning', 'timed_out', 'canceled'])

/** What is not known any more, or never was, in sentences. */
export function unknownOf(past: PastRun, lost: number, verdict: PastVerdict, happened: Happened): string[] {
  const unknown: string[] = []
  if (!past.isWhole) unknown.push('The document of its pipeline cannot be read any more.')
  if (lost > 0) {
    const what = lost === 1 ? 'A step or task' : `${lost} of its steps and tasks`
    unknown.push(`${what} could not be tried: what its document said of them is not known.`)
  }
  if (!OVER.has(past.status) && verdict !== 'blocked') {
    unknown.push('It has not ended: only what has begun so far was tried.')
  }
  if (happened === 'blocked' && verdict !== 'blocked') {
    unknown.push('It was stopped then: what would have begun later is not known.')
  }
  return unknown
}
