import { Type } from 'typebox'
import type { TaskType } from '../task-type.ts'

const segment = '[a-z0-9][a-z0-9_-]{0,62}'

/** `pipeline`: a child run. */
export const pipelineTask: TaskType = {
  kind: 'pipeline',
  directive: 'pipeline',
  directives: {
    pipeline: Type.String({
      pattern: `^${segment}(?:/${segment}){1,8}$`,
      patternErrorMessage: 'write the team path and the name of a pipeline, such as acme/web/deploy',
      description:
        'A run of this pipeline: the task ends as it does. Its final outputs are the outputs of the task, by name.',
    }),
  },
  readAction(fields) {
    const pipeline = fields.text('pipeline')
    return pipeline === undefined ? undefined : { kind: 'pipeline', pipeline, inputs: {} }
  },
}
