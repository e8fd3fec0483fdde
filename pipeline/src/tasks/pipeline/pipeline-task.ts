import { Type } from 'typebox'
import type { TaskType } from '../task-type.ts'

const SEGMENT = '[a-z0-9][a-z0-9_-]{0,62}'
const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
  errorMessage: 'write a text, "" for an empty one; numbers and true or false are taken as written',
})

/** `pipeline`: a child run. */
export const pipelineTask: TaskType = {
  kind: 'pipeline',
  directive: 'pipeline',
  directives: {
    pipeline: Type.String({
      pattern: `^${SEGMENT}(?:/${SEGMENT}){1,8}$`,
      patternErrorMessage: 'write the team path and the name of a pipeline, such as acme/web/deploy',
      description:
        'A run of this pipeline, `<team path>/<name>`: the task ends as it does. The final outputs of the run are the outputs of the task, by name.',
    }),
    inputs: Type.Record(Type.String({ pattern: '^(?!SIGNALBOX_)[A-Za-z_][A-Za-z0-9_]{0,127}$' }), scalar, {
      additionalProperties: false,
      description:
        'Values of variables of the child run. `$steps.<step>.<task>.outputs.<name>` is replaced by the output of an earlier task, `${{ matrix.<axis> }}` by a value of the matrix.',
      errorMessage: 'write names of its variables and values, such as { VERSION: "1.2" }',
      keyErrorMessage:
        'write a name of letters, digits and _ that does not start with a digit or with SIGNALBOX_, such as VERSION',
    }),
  },
  refuses: {
    directives: [
      'env',
      'idempotent',
      'checkout',
      'profile',
      'image',
      'user',
      'network',
      'read_only',
      'resources',
      'registry_credential',
      'pull_policy',
      'services',
      'artifacts',
      'needs_artifacts',
      'cache',
    ],
    because: 'the child run goes by its own document; leave it out, and hand over values in inputs',
  },
  hasWorkspace: false,
  withoutExitCode: 'a child run has no exit code: leave exit_codes out',
  readAction(fields) {
    const pipeline = fields.text('pipeline')
    return pipeline === undefined ? undefined : { kind: 'pipeline', pipeline, inputs: fields.values('inputs') }
  },
}
