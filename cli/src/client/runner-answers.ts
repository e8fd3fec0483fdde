import type { DispatcherStatus } from '@signalbox/contracts/dispatch'
import type { Profile } from '@signalbox/contracts/profiles'
import type { Runner, RunnerEnrollment } from '@signalbox/contracts/runners'
import { anything, flag, list, number, object, orNull, partOf, type Shape, text } from './shape.ts'

// As answers.ts, for runners, their enrolments, and the profiles that say what a runner must have.

export const runner = partOf<Runner>()(
  object({
    id: text,
    name: text,
    team_path: text,
    scopes: list(text),
    labels: list(text),
    offered_labels: list(text),
    executors: list(text),
    capacity: number,
    version: text,
    enabled: flag,
    draining: flag,
    leaving: flag,
    connected: flag,
    connected_at: orNull(text),
    last_seen_at: orNull(text),
    created_at: text,
  }),
)

export const enrolment = partOf<RunnerEnrollment>()(
  object({
    id: text,
    team_path: text,
    scopes: list(text),
    labels: list(text),
    expires_at: text,
    used_at: orNull(text),
    created_by: text,
    created_at: text,
  }),
)

/** Either may be left out, deep within an answer; the shapes of objects know no such field. */
const limits: Shape<{ readonly cpus?: number | null; readonly memory_mb?: number | null }> = object({
  cpus: orNull(number),
  memory_mb: orNull(number),
})

export const profile = partOf<Profile>()(
  object({
    id: text,
    identifier: text,
    team_path: text,
    name: text,
    executor: text,
    image: orNull(text),
    labels: list(text),
    environment: anything,
    resources: limits,
    updated_at: text,
  }),
)

export const dispatcherStatus = partOf<DispatcherStatus>()(
  object({
    runners: list(object({ id: text, name: text, state: text, capacity: number, in_use: number })),
    queued: number,
    running: number,
    waiting: number,
  }),
)
