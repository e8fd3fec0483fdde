import { createChance } from './chance.ts'

/** One thing that goes wrong, and for how long. */
export interface Fault {
  readonly atMs: number
  readonly kind: FaultKind
  /** The number of the control plane or runner, counted from 0; 0 for a single one. */
  readonly target: number
  readonly forMs: number
  /** Of a slow way: the delay; of a clock: how far it jumps. */
  readonly byMs: number
}

export const FAULT_KINDS = [
  'plane_killed',
  'plane_frozen',
  'plane_stopped',
  'runner_killed',
  'runner_frozen',
  'way_cut',
  'way_partitioned',
  'way_half_open',
  'way_slow',
  'database_crashed',
  'database_frozen',
  'clock_jumped',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** In ms: shorter and longer than a lease, so that both are met. */
const LENGTHS: Readonly<Record<FaultKind, readonly [number, number]>> = {
  plane_killed: [0, 4000],
  plane_frozen: [500, 12_000],
  plane_stopped: [0, 2000],
  runner_killed: [0, 6000],
  runner_frozen: [500, 14_000],
  way_cut: [0, 0],
  way_partitioned: [1000, 14_000],
  way_half_open: [1000, 10_000],
  way_slow: [2000, 10_000],
  database_crashed: [0, 0],
  database_frozen: [300, 13_000],
  clock_jumped: [0, 0],
}

const HOUR_MS = 3_600_000
const JUMPS = [HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -30 * 24 * HOUR_MS, 0]

export interface Targets {
  readonly planes: number
  readonly runners: number
}

/**
 * Gives the same faults for the same seed. Each kind comes once in a shuffled order, then again, so that a short time
 * has as many kinds as possible. A target recovers before the next fault strikes it; different targets suffer at the
 * same time.
 */
export function scheduleFaults(seed: number, durationMs: number, targets: Targets, pauseMs: number): readonly Fault[] {
  const chance = createChance(seed)
  const faults: Fault[] = []
  const freeAt = new Map<string, number>()
  let atMs = pauseMs
  while (atMs < durationMs) {
    for (const kind of chance.shuffle(FAULT_KINDS)) {
      const [least, most] = LENGTHS[kind]
      const target = chance.below(countOf(kind, targets))
      const struck = `${partOf(kind)} ${target}`
      const forMs = least + chance.below(most - least + 1)
      const startMs = Math.max(atMs, freeAt.get(struck) ?? 0)
      atMs += Math.round(pauseMs * (0.5 + chance.below(1000) / 1000))
      if (startMs + forMs > durationMs) continue
      freeAt.set(struck, startMs + forMs + pauseMs)
      faults.push({ atMs: startMs, kind, target, forMs, byMs: amountOf(kind, chance.below(1000)) })
    }
  }
  return faults.toSorted((a, b) => a.atMs - b.atMs)
}

/** The part that suffers; one part of one target suffers from one fault at a time. */
export function partOf(kind: FaultKind): 'plane' | 'runner' | 'way' | 'database' | 'clock' {
  switch (kind) {
    case 'plane_killed':
    case 'plane_frozen':
    case 'plane_stopped':
      return 'plane'
    case 'runner_killed':
    case 'runner_frozen':
      return 'runner'
    case 'way_cut':
    case 'way_partitioned':
    case 'way_half_open':
    case 'way_slow':
      return 'way'
    case 'database_crashed':
    case 'database_frozen':
      return 'database'
    case 'clock_jumped':
      return 'clock'
  }
}

function countOf(kind: FaultKind, { planes, runners }: Targets): number {
  const part = partOf(kind)
  if (part === 'database') return 1
  return part === 'plane' ? planes : runners
}

function amountOf(kind: FaultKind, chosen: number): number {
  if (kind === 'way_slow') return 20 + (chosen % 480)
  return kind === 'clock_jumped' ? (JUMPS[chosen % JUMPS.length] ?? 0) : 0
}
