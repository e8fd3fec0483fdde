import { type Static, Type } from 'typebox'
import { STRICT } from '../http/index.ts'
import { RunStatus } from './run-status.ts'

export const RunStatusQuery = Type.Object(
  {
    wait_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 45,
        description: 'Default 0. Answers after so long at the latest, else once the status is another or final.',
      }),
    ),
    unless: Type.Optional(
      Type.String({
        ...RunStatus,
        description: 'The status that is known already. Left out: only a final one ends the wait.',
      }),
    ),
  },
  STRICT,
)
export type RunStatusQuery = Static<typeof RunStatusQuery>
