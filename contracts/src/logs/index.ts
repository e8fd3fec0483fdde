import { type Static, Type } from 'typebox'
import { OURS, OwnName, STRICT, Time, Uuid } from '../http/index.ts'

export * from './failure.ts'

/** One line of the log of one attempt, masked by the runner before it left it; or the mark of lines that are missing. */
export const LogEntry = Type.Object({
  line: Type.String({
    description: 'The text, without its line end; colours and other control sequences as they came.',
  }),
  number: Type.Integer({ description: 'From 0, within the attempt.' }),
  step: OwnName,
  task: OwnName,
  attempt: Type.Integer(),
  stream: Type.String({
    description: 'stdout, stderr, or system: a sentence of the runner itself; gap: lines are missing here.',
  }),
  at: Time,
  continued: Type.Optional(
    Type.Boolean({ description: 'The line was longer than one may be: it goes on in the next one of its stream.' }),
  ),
  fold: Type.Optional(
    Type.Object(
      {
        kind: Type.Union([Type.Literal('start'), Type.Literal('end')]),
        title: Type.String({ description: 'Plain text; empty where the line gives none.' }),
      },
      { description: 'The line begins or ends a part that may be folded away.' },
    ),
  ),
  gap: Type.Optional(
    Type.Object(
      {
        lines: Type.Union([Type.Integer(), Type.Null()], {
          description: 'How many lines are missing, from `number` on; null where nobody knows.',
        }),
        why: Type.String({
          ...OURS,
          description:
            'lost: the runner no longer had them. runner_lost: the runner was lost before it sent them. limit: the log is longer than the limit. dropped: log_retention_days are over. scrubbed: they came after the values of a scrub were forgotten.',
        }),
      },
      { description: 'Lines are missing here. A search does not show these marks.' },
    ),
  ),
  context: Type.Optional(
    Type.Boolean({ description: 'Shown for the `context` of a hit beside it; it is none of the hits of this page.' }),
  ),
})
export type LogEntry = Static<typeof LogEntry>

export const LogParams = Type.Object({ id: Uuid })

const which = {
  step: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  task: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of the attempt; default: all of them.' })),
}

const choice = {
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Only lines that hold this text, in any case.' }),
  ),
  case_sensitive: Type.Optional(Type.Boolean({ description: 'For `search`: only in this case.' })),
  regex: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Only lines in which this expression (RE2) matches; `(?i)` before it: in any case.',
    }),
  ),
  stream: Type.Optional(
    Type.Union([Type.Literal('stdout'), Type.Literal('stderr'), Type.Literal('system')], {
      description: 'Only lines of this stream.',
    }),
  ),
}

export const LogQuery = Type.Object(
  {
    ...which,
    from: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1e12, description: 'Number of the first line, of each attempt.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1000 })),
    tail: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'The last lines, so many, in their order; the Link header goes on backward.',
      }),
    ),
    direction: Type.Optional(
      Type.Union([Type.Literal('forward'), Type.Literal('backward')], {
        description: 'backward: from the last line to the first.',
      }),
    ),
    around: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1e12,
        description: 'The lines around this one, with `step` and `task`; default: of the newest attempt.',
      }),
    ),
    context: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 250,
        description: 'Lines before and after `around` (default 50), or each hit (at most 20; pages of 100 hits).',
      }),
    ),
    ...choice,
    cursor: Type.Optional(Type.String({ pattern: '^[0-9a-f-]{36}:[0-9]{1,15}$' })),
  },
  STRICT,
)
export type LogQuery = Static<typeof LogQuery>

export const LogStreamQuery = Type.Object(
  {
    ...which,
    new_only: Type.Optional(
      Type.Boolean({
        description:
          'Only lines that are stored after the event `ready`, which comes first. Last-Event-ID goes before it.',
      }),
    ),
  },
  STRICT,
)
export type LogStreamQuery = Static<typeof LogStreamQuery>

export const LogDownloadQuery = Type.Object(
  {
    ...which,
    ...choice,
    format: Type.Optional(
      Type.Union([Type.Literal('text'), Type.Literal('ndjson'), Type.Literal('blocks')], {
        description:
          'ndjson: one entry as JSON on each line. blocks: a head as JSON on a line, then as many plain lines as the head says; other lines are entries. Default: text.',
      }),
    ),
  },
  STRICT,
)
export type LogDownloadQuery = Static<typeof LogDownloadQuery>

/** The head of a block of lines, in a download by blocks: `bytes` of UTF-8 follow, which are `lines` lines. */
export const LogBlock = Type.Object({
  step: OwnName,
  task: OwnName,
  attempt: Type.Integer(),
  number: Type.Integer({ description: 'Of the first of its lines.' }),
  lines: Type.Integer(),
  bytes: Type.Integer(),
})
export type LogBlock = Static<typeof LogBlock>

export const ScrubRequest = Type.Object(
  {
    values: Type.Optional(Type.Array(Type.String({ minLength: 3, maxLength: 65_536 }), { minItems: 1, maxItems: 100 })),
    secret: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 500,
        description: 'A stored secret, `<team path>/<name>`: its live values are scrubbed.',
      }),
    ),
  },
  STRICT,
)
export type ScrubRequest = Static<typeof ScrubRequest>

export const ScrubAccepted = Type.Object({
  scrub_id: Uuid,
  run_id: Uuid,
})
export type ScrubAccepted = Static<typeof ScrubAccepted>
