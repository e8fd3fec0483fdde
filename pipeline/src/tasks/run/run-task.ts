import { Type } from 'typebox'
import type { TaskType } from '../task-type.ts'

/** `run`: a shell script in the task's workspace. */
export const runTask: TaskType = {
  kind: 'run',
  directive: 'run',
  directives: {
    run: Type.String({
      pattern: '\\S',
      patternErrorMessage: 'write the shell script to run, such as "npm test"',
      description:
        'Shell script, run with `sh -e` in the workspace of the task. A multi-line script is written with `run: |`. Output references are not replaced in it: pass them through `env`.',
    }),
  },
  refuses: { directives: [], because: '' },
  hasWorkspace: true,
  withoutExitCode: null,
  readAction(fields) {
    const script = fields.text('run')
    return script === undefined ? undefined : { kind: 'run', script }
  },
}
