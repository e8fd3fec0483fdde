import type { Trigger, TriggerSimulationResult } from '@signalbox/contracts/triggers'
import { flag, list, number, object, orNull, partOf, text } from './shape.ts'

// What the commands about triggers read of the answers of the API.

export const triggerDetail = partOf<Trigger>()(
  object({
    id: text,
    name: text,
    team_path: text,
    source_id: orNull(text),
    source_lost_at: orNull(text),
    repositories: list(text),
    events: list(text),
    actions: list(text),
    branches: list(text),
    tags: list(text),
    paths: list(text),
    labels: list(text),
    draft: text,
    commands: list(text),
    commenters: list(text),
    skip_ci: flag,
    if: orNull(text),
    pipeline: text,
    scope: text,
    concurrency: orNull(object({ group: text, on_conflict: text })),
    enabled: flag,
    owner: object({ name: text }),
  }),
)

const conditionTrace = object({ condition: text, expected: text, seen: orNull(text) })

export const simulation = partOf<TriggerSimulationResult>()(
  object({
    deliveries_considered: number,
    results: list(
      object({
        delivery_id: text,
        received_at: text,
        event_kind: text,
        action: text,
        repository: text,
        ref: orNull(text),
        matched: flag,
        trace: object({
          outcome: text,
          first_failed: orNull(text),
          reason: orNull(text),
          conditions: list(conditionTrace),
        }),
      }),
    ),
  }),
)
