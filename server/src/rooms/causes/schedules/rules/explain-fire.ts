/** What became of a fire, as it is stored. */
export type StoredOutcome = 'pending' | 'started' | 'missed' | 'skipped_overlap' | 'denied' | 'invalid' | 'canceled'

/** A stored fire. One row may stand for many missed ones: then `reason` says so, and `until` is the last of them. */
export interface StoredFire {
  readonly id: string
  readonly kind: 'scheduled' | 'requested' | 'backfill'
  readonly planned: Date
  readonly nominal: Date
  readonly until: Date | null
  /** When the scheduler came to it; null while it waits in a backfill. */
  readonly actual: Date | null
  readonly outcome: StoredOutcome
  /** Null also where whoever asks may not see the run. */
  readonly runId: string | null
  /** A sentence; of started ones null. */
  readonly reason: string | null
}

/** What became of a run. */
export interface RunFate {
  readonly id: string
  readonly status: string
  /** Why it may not begin yet: group, or another reason. */
  readonly withheld: string | null
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

export interface Evidence {
  readonly kind: 'fire' | 'run'
  readonly id: string
}

export interface Explanation {
  /** A word that programs compare. */
  readonly code: string
  /** Ours: it quotes nobody. */
  readonly sentence: string
  /** The reason as it was recorded, or what a calendar says: it may hold words of others. */
  readonly told: string | null
  readonly evidence: readonly Evidence[]
}

/** Both as one text. */
export function textOf({ sentence, told }: Pick<Explanation, 'sentence' | 'told'>): string {
  return told === null ? sentence : `${sentence} ${told}`
}

/** What became of a stored fire, and of the run that it started. */
export function explainFire(fire: StoredFire, run: RunFate | undefined): readonly Explanation[] {
  const { id, runId, reason } = fire
  const evidence: readonly Evidence[] = [{ kind: 'fire', id }, ...(runId === null ? [] : [ofRun(runId)])]
  const first = { code: `fire.${fire.outcome}`, sentence: sayOutcome(fire), told: reason, evidence }
  const fate = run && { code: 'fire.run', sentence: sayFate(run), told: null, evidence: [ofRun(run.id)] }
  return fate ? [first, fate] : [first]
}

function ofRun(id: string): Evidence {
  return { kind: 'run', id }
}

function sayOutcome(fire: StoredFire): string {
  const { planned, outcome } = fire
  const when = writeInstant(planned)
  const what = fire.kind === 'backfill' ? `The instant ${when} of a backfill` : `The fire planned for ${when}`
  switch (outcome) {
    case 'started':
      return sayStarted(fire)
    case 'missed':
      return `${what} was missed.`
    case 'skipped_overlap':
      return `${what} was skipped, as an earlier run had not ended.`
    case 'denied':
      return `${what} was denied, as ${fire.kind === 'backfill' ? 'whoever asked for it' : 'the owner'} may not start it any more.`
    case 'invalid':
      return `${what} could not become a run.`
    case 'pending':
      return `${what} waits for its turn.`
    case 'canceled':
      return `${what} was canceled before its turn came.`
  }
}

function sayStarted({ kind, planned, actual }: StoredFire): string {
  const when = writeInstant(planned)
  if (kind === 'requested') return `Somebody ran it at ${when} by hand, and it started a run.`
  if (kind === 'backfill') {
    return `A backfill started a run for ${when}${actual ? `, at ${writeInstant(actual)}` : ''}.`
  }
  const late = actual ? actual.getTime() - planned.getTime() : 0
  const how = late >= 1000 ? `, ${Math.floor(late / 1000)} s late` : ''
  return `It fired for ${when}${how}, and started a run.`
}

function sayFate({ id, status, withheld, startedAt, finishedAt }: RunFate): string {
  if (finishedAt) return `Run ${id} ended at ${writeInstant(finishedAt)}: ${status}.`
  if (startedAt) return `Run ${id} goes on since ${writeInstant(startedAt)}: ${status}.`
  if (withheld === 'group') return `Run ${id} waits in the queue for its turn in its concurrency group.`
  return `Run ${id} waits in the queue for a runner.`
}

export function writeInstant(date: Date): string {
  return date.toISOString().replace('.000Z', 'Z')
}
