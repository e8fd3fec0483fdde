import type { Override, OverridePreview, OverrideResolution, OverrideValidation } from '@signalbox/contracts/overrides'
import { flag, list, number, object, orNull, partOf, text } from './shape.ts'
import { manifestTrace } from './source-answers.ts'

// As answers.ts, for the commands of overrides.

export const override = partOf<Override>()(
  object({
    repo_owner: text,
    repo_name: text,
    pipeline: text,
    scope: text,
    expires_at: orNull(text),
    expired: flag,
    in_effect: flag,
    not_in_effect_because: orNull(text),
    reason: orNull(text),
    owner: object({ name: text }),
    updated_at: text,
  }),
)

const overrideFault = object({ field: text, message: text, line: number, column: number })

export const overrideValidation = partOf<OverrideValidation>()(
  object({ valid: flag, errors: list(overrideFault), warnings: list(overrideFault) }),
)

const resolvedRun = object({
  layer: text,
  name: text,
  pipeline: text,
  scope: text,
  would_start: flag,
  reason: orNull(text),
})
export type ResolvedRun = ReturnType<typeof resolvedRun>

export const overrideResolution = partOf<OverrideResolution>()(
  object({ runs: list(resolvedRun), losers: list(resolvedRun), manifest: orNull(manifestTrace) }),
)

const previewedRuns = list(object({ pipeline: text, scope: text }))

export const overridePreview = partOf<OverridePreview>()(
  object({
    in_effect: flag,
    not_in_effect_because: orNull(text),
    deliveries_considered: number,
    changes: list(
      object({
        delivery_id: text,
        received_at: text,
        kind: text,
        ref: orNull(text),
        before: previewedRuns,
        after: previewedRuns,
      }),
    ),
  }),
)
