import { type Static, Type } from 'typebox'
import { Nullable, Time, Uuid } from '../http/index.ts'

export const RunReportsParams = Type.Object({ id: Uuid })

/** What the provider of a run's repository was told of it, in one way. */
export const RunReport = Type.Object({
  kind: Type.Enum(['status', 'check', 'comment'], {
    description:
      'status: beside the commit. check: the same by an app, with a summary and annotations. comment: in the pull request.',
  }),
  context: Nullable(Type.String({ description: 'The name beside the commit; null: a comment.' })),
  state: Nullable(Type.String({ description: 'What the provider took last, in our words; null: nothing.' })),
  annotations: Type.Integer({ description: 'Marks of the log that stand at lines of files.' }),
  told_at: Nullable(
    Type.String({ format: 'date-time', description: 'When the provider took it; null: it never did.' }),
  ),
  given_up_reason: Nullable(
    Type.String({ description: 'Why it is not tried any more; null: it was told, or is still tried.' }),
  ),
  given_up_at: Nullable(Time),
})
export type RunReport = Static<typeof RunReport>
