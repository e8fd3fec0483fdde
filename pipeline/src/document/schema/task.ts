import { type TSchema, Type } from 'typebox'
import { TASK_TYPES } from '../../tasks/index.ts'
import { checkout } from './checkout.ts'
import { containerDirectives } from './container.ts'
import { fileDirectives, Output, outputName } from './files.ts'
import { condition, dependsOn, duration, environment, flag, named, OUTPUT_NAME_TEXT, profile, scalar } from './parts.ts'

const Retry = Type.Object(
  {
    attempts: Type.Integer({ minimum: 1, maximum: 10, description: 'Attempts in all, the first included.' }),
    backoff: duration('Wait before the second attempt; doubles with each further one, up to 1 hour.'),
    exit_codes: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 255 }), {
        minItems: 1,
        maxItems: 255,
        description:
          'Only these exit codes are tried again; a time limit and other failures are not. A lost attempt still is.',
        errorMessage: 'write a list of exit codes from 1 to 255, such as [75]',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Tries again what failed, ran over its time or lost its runner.',
    errorMessage: 'write { attempts: 3, backoff: 10s }',
  },
)

const kinds: Record<string, TSchema> = {}
for (const type of TASK_TYPES) {
  for (const [directive, schema] of Object.entries(type.directives)) kinds[directive] = Type.Optional(schema)
}

export const TaskSchema = Type.Object(
  {
    name: named('Unique within the step.'),
    depends_on: dependsOn('Tasks of the same step that must be complete before this one starts.'),
    if: condition('CEL over `run`, `event`, `variables`, `steps` and `matrix`; false skips the task.'),
    ...kinds,
    env: environment(
      scalar,
      'Environment of this task. `$steps.<step>.<task>.outputs.<name>` is replaced by the output of an earlier task, `${{ matrix.<axis> }}` by a value of the matrix.',
      'write names and values, such as { NODE_ENV: test }',
    ),
    outputs: Type.Optional(
      Type.Record(outputName, Output, {
        additionalProperties: false,
        description:
          'The outputs that the task writes to the file in $SIGNALBOX_OUTPUT, as name=value lines. Of a child run: those of its final outputs that are used.',
        errorMessage: 'write the names of the outputs, such as { coverage: {} }',
        keyErrorMessage: OUTPUT_NAME_TEXT,
      }),
    ),
    timeout: duration('Time limit of each attempt.'),
    ignore_failure: flag('The run goes on when the task fails, and ends as a warning.'),
    retry: Type.Optional(Retry),
    idempotent: flag('May run twice: an attempt whose runner is lost is tried again, three times in all.'),
    checkout: checkout('Instead of the checkout of the pipeline, with all of its options.'),
    profile: profile('Where it runs, instead of where its step does.'),
    ...containerDirectives,
    ...fileDirectives,
  },
  {
    additionalProperties: false,
    anyOf: TASK_TYPES.map((type) => ({ required: [type.directive] })),
    errorMessage: 'write a task, such as { name: unit, run: npm test }',
  },
)
