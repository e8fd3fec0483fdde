/** A write to a schedule, with the document before and after it as it was recorded. */
export interface RecordedChange {
  readonly occurredAt: Date
  readonly before: unknown
  readonly after: unknown
}

export interface ScheduleHistory {
  readonly timingSince: Date
  readonly disabledSince: Date | null
  readonly enabledSince: Date | null
}

const TIMING = [
  'schedule_kind',
  'cron_expression',
  'run_at',
  'timezone',
  'dst_policy',
  'spread',
  'exclude_dates',
  'calendar',
  'not_before',
  'not_after',
]

interface HistoryInput {
  /** Newest first. */
  readonly changes: readonly RecordedChange[]
  readonly createdAt: Date
  readonly enabled: boolean
}

/** When a schedule became what it is, as somebody asks who looks at an instant. */
export function readHistory({ changes, createdAt, enabled }: HistoryInput, at: Date): ScheduleHistory {
  const documents = changes.flatMap(({ occurredAt, before, after }) =>
    isRecord(before) && isRecord(after) && 'enabled' in before ? [{ occurredAt, before, after }] : [],
  )
  const toggles = documents.filter(({ before, after }) => before['enabled'] !== after['enabled'])
  const [newest] = toggles
  // The first one after the instant tells what the schedule was until then.
  const next = toggles.findLast(({ occurredAt }) => occurredAt > at)
  const retimed = documents.find(({ before, after }) => timingText(before) !== timingText(after))
  return {
    timingSince: retimed?.occurredAt ?? createdAt,
    disabledSince: enabled ? null : newest ? disabledBy(newest) : createdAt,
    enabledSince: next && next.after['enabled'] === true ? next.occurredAt : null,
  }
}

/** Null: it ended by itself after it was enabled. */
function disabledBy(newest: { readonly occurredAt: Date; readonly after: Readonly<Record<string, unknown>> }) {
  return newest.after['enabled'] === false ? newest.occurredAt : null
}

function timingText(document: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(TIMING.map((name) => document[name] ?? null))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
