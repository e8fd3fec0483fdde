import { type TSchema, Type } from 'typebox'
import { taskTypes } from '../tasks/index.ts'
import { durationPattern } from './duration.ts'

/**
 * The one description of a document: it validates the shape, and editors read it as JSON Schema. `errorMessage`
 * and `patternErrorMessage` are understood by editors too; they say what to write instead.
 */

const nameText = 'write a name of lower-case letters, digits, - and _, at most 63 characters, such as unit-tests'
const environmentNameText =
  'write a name of letters, digits and _ that does not start with a digit or with SIGNALBOX_, such as NODE_ENV'
const durationText = 'write a duration such as "90s", "10m" or "1h30m", at most 30 days'

const segment = '[a-z0-9][a-z0-9_-]{0,62}'
const environmentName = Type.String({ pattern: '^(?!SIGNALBOX_)[A-Za-z_][A-Za-z0-9_]{0,127}$' })

function named(description: string) {
  return Type.String({ pattern: `^${segment}$`, patternErrorMessage: nameText, description })
}

function duration(description: string) {
  return Type.Optional(
    Type.String({
      pattern: durationPattern,
      patternErrorMessage: durationText,
      errorMessage: durationText,
      description,
    }),
  )
}

function condition(description: string) {
  return Type.Optional(
    Type.String({ description, errorMessage: 'write a condition in CEL, such as event.branch == "main"' }),
  )
}

function dependsOn(description: string) {
  const item = Type.String({ pattern: `^${segment}$`, patternErrorMessage: nameText })
  return Type.Optional(Type.Array(item, { description, errorMessage: 'write a list of names, such as [build, lint]' }))
}

const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
  errorMessage: 'write a text, "" for an empty one; numbers and true or false are taken as written',
})

function environment(value: TSchema, description: string, errorMessage: string) {
  return Type.Optional(
    Type.Record(environmentName, value, {
      additionalProperties: false,
      description,
      errorMessage,
      keyErrorMessage: environmentNameText,
    }),
  )
}

const Output = Type.Union(
  [
    Type.Object(
      { sensitive: Type.Optional(Type.Boolean({ description: 'Masked in logs and hidden in the interface.' })) },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  { errorMessage: 'write {} or { sensitive: true }' },
)

const Retry = Type.Object(
  {
    attempts: Type.Integer({ minimum: 1, maximum: 10, description: 'Attempts in all, the first included.' }),
    backoff: duration('Wait before the second attempt; doubles with each further one, up to 1 hour.'),
  },
  { additionalProperties: false, errorMessage: 'write { attempts: 3, backoff: 10s }' },
)

const checkout = (description: string) => Type.Optional(Type.Boolean({ description }))

const ignoreFailure = (description: string) => Type.Optional(Type.Boolean({ description }))

const kinds: Record<string, TSchema> = {}
for (const type of taskTypes) {
  for (const [directive, schema] of Object.entries(type.directives)) kinds[directive] = Type.Optional(schema)
}

export const TaskSchema = Type.Object(
  {
    name: named('Unique within the step.'),
    depends_on: dependsOn('Tasks of the same step that must be complete before this one starts.'),
    if: condition('CEL over `event`, `variables` and `steps`; false skips the task.'),
    env: environment(
      scalar,
      'Environment of this task. `$steps.<step>.<task>.outputs.<name>` is replaced by the output of an earlier task.',
      'write names and values, such as { NODE_ENV: test }',
    ),
    outputs: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$' }), Output, {
        additionalProperties: false,
        description: 'What the task writes to the file in $SIGNALBOX_OUTPUT, as name=value lines.',
        errorMessage: 'write the names of the outputs, such as { coverage: {} }',
        keyErrorMessage: 'write a name of letters, digits, _ and -, starting with a letter or _, such as coverage',
      }),
    ),
    timeout: duration('Time limit of each attempt.'),
    ignore_failure: ignoreFailure('The run goes on when the task fails, and ends as a warning.'),
    retry: Type.Optional(Retry),
    idempotent: Type.Optional(
      Type.Boolean({
        description: 'May run twice: an attempt whose runner is lost is tried again, three times in all.',
      }),
    ),
    checkout: checkout('Overrides the checkout of the pipeline for this task.'),
    ...kinds,
  },
  {
    additionalProperties: false,
    anyOf: taskTypes.map((type) => ({ required: [type.directive] })),
    errorMessage: 'write a task, such as { name: unit, run: npm test }',
  },
)

export const StepSchema = Type.Object(
  {
    name: named('Unique within the pipeline.'),
    depends_on: dependsOn('Steps that must be complete before this one starts. Without it a step starts at once.'),
    if: condition('CEL over `event`, `variables` and `steps`; false skips the step.'),
    timeout: duration('Time limit of the step, from the start of its first task.'),
    ignore_failure: ignoreFailure('Failures of this step leave the run a warning.'),
    tasks: Type.Array(TaskSchema, {
      minItems: 1,
      description: 'Run side by side as far as depends_on allows.',
      errorMessage: 'write a list with at least one task, such as - { name: unit, run: npm test }',
    }),
  },
  { additionalProperties: false, errorMessage: 'write a step with a name and tasks' },
)

export const PipelineSchema = Type.Object(
  {
    name: named('Name of the pipeline within its team.'),
    variables: environment(
      scalar,
      'Environment of every task. A trigger, a schedule or a request may override the values.',
      'write names and values, such as { NODE_ENV: test }',
    ),
    secrets: environment(
      Type.String({
        pattern: `^${segment}(?:/${segment}){0,7}/[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$`,
        patternErrorMessage: 'write the team path and the name of a stored secret, such as acme/web/npm',
        description: '<team path>/<name> of a stored secret.',
      }),
      'Environment name to stored secret. The values are always masked.',
      'write names and stored secrets, such as { NPM_TOKEN: acme/web/npm }',
    ),
    profile: Type.Optional(
      Type.String({
        pattern: `^${segment}(?:/${segment}){0,8}$`,
        patternErrorMessage: 'write the name of a profile, such as node24 or acme/web/node24',
        description: 'Where tasks run.',
      }),
    ),
    timeout: duration('Time limit of the run.'),
    checkout: checkout('False: tasks start in an empty workspace. Default true.'),
    steps: Type.Array(StepSchema, {
      minItems: 1,
      description: 'Their order comes from depends_on, not from their place in the list.',
      errorMessage: 'write a list with at least one step',
    }),
  },
  { additionalProperties: false, errorMessage: 'write a map with name and steps' },
)

/** JSON Schema (2020-12) of a pipeline document, for editors. */
export function pipelineJsonSchema(): Record<string, unknown> {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Signalbox pipeline',
    description: 'A pipeline of Signalbox: steps of tasks, ordered by what they depend on.',
    ...PipelineSchema,
  }
  // Through JSON, so that what the schema library keeps for itself stays behind.
  return JSON.parse(JSON.stringify(schema))
}
