import type { FinalOutput, RunComparison, RunOutput } from '@signalbox/contracts/runs'
import { flag, list, number, object, orNull, partOf, text } from './shape.ts'

export const finalOutput = partOf<FinalOutput>()(object({ name: text, format: text, content: text }))

export const taskOutput = partOf<RunOutput>()(object({ step: text, task: text, name: text, value: orNull(text) }))

const side = object({
  run_id: text,
  pipeline_version: number,
  status: text,
  reason: orNull(text),
  scope: text,
  branch: orNull(text),
  commit_sha: orNull(text),
  waited_ms: orNull(number),
  took_ms: orNull(number),
})

const task = orNull(object({ status: orNull(text), took_ms: orNull(number), attempts: number, runner: orNull(text) }))

/** How two runs differ. */
export const comparison = partOf<RunComparison>()(
  object({
    left: side,
    right: side,
    document: object({ same: flag, diff: orNull(text) }),
    variables: list(object({ name: text, left: orNull(text), right: orNull(text) })),
    tasks: list(object({ step: text, task: text, left: task, right: task })),
  }),
)
export type Comparison = ReturnType<typeof comparison>
