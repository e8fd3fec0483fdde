export interface Span {
  readonly from: number
  readonly to: number
}

/** A stretch in which nothing ran, drawn narrow. */
export interface Fold extends Span {
  /** Its place on the scale, from 0 to 1. */
  readonly start: number
  readonly end: number
}

/** Instants to places from 0 to 1, with idle stretches folded. */
export interface TimeScale {
  readonly from: number
  readonly to: number
  readonly folds: readonly Fold[]
  readonly placeOf: (instant: number) => number
}

/** Shorter breaks are drawn as they are. */
const SHORTEST_FOLD_MS = 60_000
/** A break is folded where it takes more than this of the whole. */
const LARGE_SHARE = 0.15
const FOLD_WIDTH = 0.04

/** Makes the scale of a stretch of time in which something ran during `busy`. */
export function timeScaleOf({ from, to }: Span, busy: readonly Span[]): TimeScale {
  const whole = Math.max(1, to - from)
  const idle = gapsOf({ from, to }, busy).filter(
    (gap) => gap.to - gap.from >= SHORTEST_FOLD_MS && (gap.to - gap.from) / whole > LARGE_SHARE,
  )
  const shown = Math.max(1, whole - idle.reduce((sum, gap) => sum + gap.to - gap.from, 0))
  const width = 1 - idle.length * FOLD_WIDTH
  const straight = (instant: number): number => {
    const hidden = idle.reduce((sum, gap) => sum + overlap(gap, instant), 0)
    const folded = idle.reduce((sum, gap) => sum + overlap(gap, instant) / (gap.to - gap.from), 0)
    return ((instant - from - hidden) / shown) * width + folded * FOLD_WIDTH
  }
  const placeOf = (instant: number): number => straight(Math.min(to, Math.max(from, instant)))
  return {
    from,
    to,
    placeOf,
    folds: idle.map((gap) => ({ ...gap, start: placeOf(gap.from), end: placeOf(gap.to) })),
  }
}

/** How much of the gap lies before the instant. */
function overlap(gap: Span, instant: number): number {
  return Math.min(gap.to, Math.max(gap.from, instant)) - gap.from
}

function gapsOf({ from, to }: Span, busy: readonly Span[]): readonly Span[] {
  const gaps: Span[] = []
  let until = from
  for (const span of busy.toSorted((a, b) => a.from - b.from)) {
    if (span.from > until) gaps.push({ from: until, to: span.from })
    until = Math.max(until, span.to)
  }
  if (to > until) gaps.push({ from: until, to })
  return gaps
}

const STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400].map(
  (seconds) => seconds * 1000,
)

/** Marks at round distances from the beginning, at most about eight, none within a fold. */
export function ticksOf(scale: TimeScale): readonly { readonly after: number; readonly place: number }[] {
  const shown = scale.to - scale.from - scale.folds.reduce((sum, fold) => sum + fold.to - fold.from, 0)
  const distance = STEPS_MS.find((each) => shown / each <= 8) ?? Math.ceil(shown / 8 / 86_400_000) * 86_400_000
  const count = Math.min(1000, Math.floor((scale.to - scale.from) / distance))
  return Array.from({ length: count + 1 }, (_, at) => at * distance)
    .filter((after) => scale.folds.every((fold) => after + scale.from <= fold.from || after + scale.from >= fold.to))
    .map((after) => ({ after, place: scale.placeOf(scale.from + after) }))
    .filter(({ place }, at, all) => at === 0 || place - (all[at - 1]?.place ?? 0) > 0.05)
}
