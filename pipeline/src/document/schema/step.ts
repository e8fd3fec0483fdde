import { Type } from 'typebox'
import {
  condition,
  dependsOn,
  describedScalar,
  duration,
  flag,
  named,
  OUTPUT_NAME_PATTERN,
  OUTPUT_NAME_TEXT,
  oneOf,
  profile,
  SEGMENT,
  scalar,
} from './parts.ts'
import { TaskSchema } from './task.ts'

const Field = Type.Object(
  {
    name: Type.String({
      pattern: OUTPUT_NAME_PATTERN,
      patternErrorMessage: OUTPUT_NAME_TEXT,
      description: 'Unique within the approval; an output of the step.',
    }),
    type: Type.String({
      enum: ['text', 'choice', 'boolean'],
      pattern: '^(?:text|choice|boolean)$',
      patternErrorMessage: 'write one of text, choice, boolean',
      description: 'The kind of value.',
    }),
    required: flag('Nobody can approve without it. Default false.'),
    options: Type.Optional(
      Type.Array(scalar, {
        minItems: 1,
        maxItems: 100,
        description: 'The options of a choice.',
        errorMessage: 'write a list of texts, such as [blue, green]',
      }),
    ),
    default: Type.Optional(describedScalar('The value before anybody fills the field in.')),
    description: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'A text that approvers read beside the field.' }),
    ),
  },
  { additionalProperties: false, errorMessage: 'write a field, such as { name: reason, type: text }' },
)

/** Waits for people instead of running tasks. */
export const Approval = Type.Object(
  {
    approvers: Type.Array(
      Type.String({
        pattern:
          '^(?:user:[a-z0-9][a-z0-9._@+-]{0,99}|(?:group|service_account):[a-z0-9][a-z0-9_/-]{0,600}|role:(?:viewer|operator|editor|owner|administrator))$',
        patternErrorMessage:
          'write user:<login>, group:<name>, service_account:<team path>/<name> or role:<role>, such as group:leads',
      }),
      {
        minItems: 1,
        maxItems: 100,
        description:
          'The approvers: `user:<login>`, `group:<name>`, `service_account:<team path>/<name>`, or, of people, `role:<role>` at the team of the pipeline.',
        errorMessage: 'write a list of approvers, such as [group:leads, user:ada]',
      },
    ),
    required: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'How many of them must approve. Default 1.' }),
    ),
    timeout: duration('After this time nobody can decide any more, and the run is timed_out. Default 7 days.'),
    remind_after: duration('After this time the fact approval.reminder is told, once. Nobody is notified of it yet.'),
    allow_self: flag('Whether the initiator of the run may decide. Default false.'),
    message: Type.Optional(Type.String({ maxLength: 4_000, description: 'The question to the approvers.' })),
    fields: Type.Optional(
      Type.Array(Field, {
        maxItems: 20,
        description: 'The fields that approvers fill in: outputs, `$steps.<step>.approval.outputs.<name>`.',
        errorMessage: 'write a list of fields, such as [{ name: reason, type: text }]',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Waits for people instead of running tasks. A rejection fails the run.',
    errorMessage: 'write { approvers: [group:leads], required: 1, timeout: 24h }',
  },
)

const AXIS_PATTERN = '^[A-Za-z_][A-Za-z0-9_-]{0,62}$'
const AXIS_TEXT = 'write a name of letters, digits, _ and -, starting with a letter or _, such as node'
const axisName = Type.String({ pattern: AXIS_PATTERN })

function combinations(description: string, example: string) {
  const entry = Type.Record(axisName, scalar, {
    additionalProperties: false,
    keyErrorMessage: AXIS_TEXT,
    errorMessage: `write axes and values, such as ${example}`,
  })
  return Type.Optional(
    Type.Array(entry, {
      maxItems: 256,
      description,
      errorMessage: `write a list of combinations, such as [${example}]`,
    }),
  )
}

export const Matrix = Type.Object(
  {
    include: combinations(
      'Adds values to the combinations whose own values they do not change; where there is none such, a combination.',
      '{ node: "24", experimental: true }',
    ),
    exclude: combinations('Leaves out every combination that has all of these values.', '{ node: "22", os: alpine }'),
  },
  {
    additionalProperties: Type.Array(scalar, {
      minItems: 1,
      maxItems: 256,
      description: 'Values of one axis.',
      errorMessage: 'write a list of values, such as ["22", "24"]',
    }),
    propertyNames: { pattern: AXIS_PATTERN },
    keyErrorMessage: AXIS_TEXT,
    description:
      'Axes with their values: every task of the step runs once for each combination. At most 256 combinations.',
    errorMessage: 'write axes with their values, such as { node: ["22", "24"] }',
  },
)

export const StepSchema = Type.Object(
  {
    name: named('Unique within the pipeline.'),
    depends_on: dependsOn('Steps that must be complete before this one starts. Without it a step starts at once.'),
    if: condition('CEL over `run`, `event`, `variables` and `steps`; false skips the step.'),
    when: oneOf(
      ['success', 'always', 'failure'],
      'Starts after success of what it depends on, whatever became of that, or only after a failure. Default success.',
    ),
    always: flag('Another way to write `when: always`.'),
    on_failure: flag('Another way to write `when: failure`.'),
    timeout: duration('Time limit of the step, from the start of its first task.'),
    ignore_failure: flag('Failures of this step leave the run a warning.'),
    scope: Type.Optional(
      Type.String({
        pattern: `^${SEGMENT}(?:/${SEGMENT}){1,8}$`,
        patternErrorMessage: 'write a team path and an environment, such as acme/web/production',
        description: '`<team path>/<environment>`, where its tasks run instead of in the scope of the run.',
      }),
    ),
    profile: profile('Where its tasks run, instead of where those of the pipeline do.'),
    matrix: Type.Optional(Matrix),
    workspace: oneOf(
      ['own', 'shared'],
      'own: every attempt of a task starts in a workspace of its own. shared: the tasks of the step share one workspace on one runner, in the order of their depends_on. Default own.',
    ),
    tasks: Type.Optional(
      Type.Array(TaskSchema, {
        minItems: 1,
        description: 'Run side by side as far as depends_on allows.',
        errorMessage: 'write a list with at least one task, such as - { name: unit, run: npm test }',
      }),
    ),
    approval: Type.Optional(Approval),
  },
  {
    additionalProperties: false,
    oneOf: [{ required: ['tasks'] }, { required: ['approval'] }],
    errorMessage: 'write a step with a name and tasks',
  },
)
