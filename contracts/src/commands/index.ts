import { type Static, Type } from 'typebox'
import { Nullable, pageQuery, STRICT, Time, Uuid } from '../http/index.ts'

/** The words of commands, as a line of a comment begins with them behind a slash. */
export const COMMAND_VERBS = ['run', 'rerun', 'cancel', 'approve', 'ok-to-test', 'why', 'help'] as const
export type CommandVerb = (typeof COMMAND_VERBS)[number]

/** `waiting`: the provider is asked. `done`: carried out. `refused`: it may not be. `failed`: the provider gave no answer. */
export const COMMAND_STATES = ['waiting', 'done', 'refused', 'failed'] as const
export type CommandState = (typeof COMMAND_STATES)[number]

/**
 * What became of a command, in one word. `ignored`: the comment holds no command. Those from `not_written` on say why it was
 * refused.
 */
export const COMMAND_OUTCOMES = [
  'started',
  'rerun',
  'canceled',
  'approved',
  'answered',
  'ignored',
  'switched_off',
  'expired',
  'edited',
  'deleted',
  'bot',
  'malformed',
  'not_linked',
  'not_permitted',
  'head_moved',
  'nothing_to_do',
  'not_possible',
  'provider_failed',
] as const
export type CommandOutcome = (typeof COMMAND_OUTCOMES)[number]

export const CommandQuery = Type.Object(
  {
    ...pageQuery,
    source_id: Uuid,
    repository: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: '<owner>/<name>; ignores case.' }),
    ),
  },
  STRICT,
)
export type CommandQuery = Static<typeof CommandQuery>

export const CommentCommand = Type.Object({
  id: Uuid,
  source_id: Uuid,
  repository: Type.String(),
  pull_request: Type.Integer(),
  comment_id: Type.String({ description: "The provider's id of the comment." }),
  author_id: Nullable(Type.String({ description: "The provider's id of the author, which passes to nobody else." })),
  author_login: Nullable(Type.String()),
  state: Type.Enum([...COMMAND_STATES]),
  command: Nullable(Type.String({ description: 'The line as the provider shows it; null until it was read.' })),
  outcome: Nullable(Type.Enum([...COMMAND_OUTCOMES])),
  reason: Nullable(Type.String({ description: 'One sentence.' })),
  acted_as: Nullable(
    Type.String({ description: 'The name of the user, or owner of the source, whose rights decided.' }),
  ),
  run_ids: Type.Array(Uuid, { description: 'Runs that the command started, reran, canceled or approved.' }),
  delivery_id: Uuid,
  received_at: Time,
  decided_at: Nullable(Time),
  told_at: Nullable(Time, { description: 'When the provider took the answer.' }),
})
export type CommentCommand = Static<typeof CommentCommand>

export const RunCommandsParams = Type.Object({ id: Uuid })

export const RunCommandsQuery = Type.Object({ ...pageQuery }, STRICT)
export type RunCommandsQuery = Static<typeof RunCommandsQuery>

/** A command that was carried out, as readers of a run see it: it tells nothing of other runs that it was about. */
export const RunCommand = Type.Object({
  id: Uuid,
  command: Type.String({ description: 'The line as the provider shows it, without the values of variables.' }),
  outcome: Type.Enum([...COMMAND_OUTCOMES], {
    description: 'rerun: also of the run that was repeated, not only of the new one.',
  }),
  repository: Type.String(),
  pull_request: Type.Integer(),
  comment_id: Type.String({ description: "The provider's id of the comment." }),
  author_id: Nullable(Type.String({ description: "The provider's id of the author, which passes to nobody else." })),
  author_login: Nullable(Type.String()),
  acted_as: Nullable(
    Type.String({ description: 'The name of the user, or owner of the source, whose rights decided.' }),
  ),
  received_at: Time,
  decided_at: Time,
})
export type RunCommand = Static<typeof RunCommand>
