import { type Static, Type } from 'typebox'
import { strict, Time, Uuid } from '../http/index.ts'

/** One line of the log of one attempt, masked by the runner before it left it. */
export const LogEntry = Type.Object({
  line: Type.String({ description: 'The text, without its line end.' }),
  number: Type.Integer({ description: 'From 0, within the attempt.' }),
  step: Type.String(),
  task: Type.String(),
  attempt: Type.Integer(),
  stream: Type.String({ description: 'stdout, stderr, or system: a sentence of the runner itself.' }),
  at: Time,
})
export type LogEntry = Static<typeof LogEntry>

export const LogParams = Type.Object({ id: Uuid })

const which = {
  step: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  task: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of the attempt; default: all of them.' })),
}

export const LogQuery = Type.Object(
  {
    ...which,
    from: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1e12, description: 'Number of the first line, of each attempt.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1000 })),
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Only lines that hold this text, in any case.' }),
    ),
    cursor: Type.Optional(Type.String({ pattern: '^[0-9a-f-]{36}:[0-9]{1,15}$' })),
  },
  strict,
)
export type LogQuery = Static<typeof LogQuery>

export const LogStreamQuery = Type.Object(which, strict)
export type LogStreamQuery = Static<typeof LogStreamQuery>
