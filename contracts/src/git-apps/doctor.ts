import { type Static, Type } from 'typebox'
import { Nullable } from '../http/index.ts'

export const DOCTOR_STEPS = ['key', 'clock', 'app', 'installation', 'permissions', 'webhook', 'last_delivery'] as const

/** What is well with an app, step by step, in this order. A step behind a failed one that it needs is `skipped`. */
export const GitAppDiagnosis = Type.Object({
  ok: Type.Boolean(),
  steps: Type.Array(
    Type.Object({
      step: Type.Enum([...DOCTOR_STEPS]),
      installation_id: Nullable(Type.String({ description: 'The installation that the step looked at.' })),
      result: Type.Enum(['ok', 'warning', 'failed', 'skipped']),
      sentence: Type.String({ description: 'What was found.' }),
      remedy: Nullable(Type.String({ description: 'What to do; null where nothing is.' })),
    }),
  ),
})
export type GitAppDiagnosis = Static<typeof GitAppDiagnosis>
