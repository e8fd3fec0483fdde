import { type Static, Type } from 'typebox'
import { Nullable, STRICT } from '../http/index.ts'

/** Topics that one stream may follow. */
export const MOST_TOPICS = 50

export const LiveQuery = Type.Object(
  {
    topics: Type.String({
      minLength: 1,
      maxLength: 30_000,
      description:
        'Up to 50 topics, separated by commas: runs:<team path>, run:<id>, deliveries:<source id>, approvals, runners, ' +
        'schedules:<team path>, emergencies, knowledge, plans. A team path stands for the team and the teams below it, / for all of them.',
    }),
  },
  STRICT,
)
export type LiveQuery = Static<typeof LiveQuery>

/**
 * What a stream says of itself. The first event is `ready`, or `reset` where changes may have been missed: read everything
 * again. `away`: the database cannot be read now; once it is back, `reset` follows.
 */
export const LIVE_NOTICES = ['ready', 'reset', 'away'] as const
export type LiveNotice = (typeof LIVE_NOTICES)[number]

/** `many`: several things changed at once, or something that was not told one by one. */
export const LIVE_CHANGES = ['created', 'changed', 'gone', 'many'] as const

/** The data of an event that is named after the kind of its topic. It says what to read again, and nothing of it. */
export const LiveEvent = Type.Object({
  topic: Type.String({ description: 'As it was asked for.' }),
  id: Nullable(Type.String({ description: 'Of the thing that changed; null where change is many.' })),
  change: Type.Enum([...LIVE_CHANGES]),
})
export type LiveEvent = Static<typeof LiveEvent>
