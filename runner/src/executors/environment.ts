import type { Assign } from '@signalbox/contracts/runner'
import type { RunnerVariable } from '@signalbox/pipeline/facts'

const NAME_PATTERN = /^[^=\0]+$/

/** Why no process can have this script and environment; undefined when one can. */
export function unusableText(script: string, environment: Readonly<Record<string, string>>): string | undefined {
  if (script.includes('\0')) return 'The script contains a NUL character, which no process can be given.'
  for (const [name, value] of Object.entries(environment)) {
    if (!NAME_PATTERN.test(name)) return `The environment has the name ${JSON.stringify(name)}, which cannot be used.`
    if (value.includes('\0')) return `The environment variable ${name} contains a NUL character.`
  }
  return undefined
}

/** Where the task finds its workspace and writes its outputs and temporary files, as it sees them. */
export interface TaskPaths {
  directory: string
  outputFile: string
  temporary?: string
}

/** Programs differ in which of these names they read. */
function temporaryNames(folder: string | undefined): Partial<Record<Temporary, string>> {
  return folder === undefined ? {} : { TMPDIR: folder, TMP: folder, TEMP: folder }
}

/**
 * The whole environment of a task's process. The task declares some names and may override a few (`base`, `HOME`, `CI`,
 * `TMPDIR`). The task may not override the `SIGNALBOX_*` names. No variable of the runner's own environment is in
 * there.
 */
export function taskEnvironment(
  assign: Assign,
  paths: TaskPaths,
  base: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    ...base,
    ...overridable(paths),
    ...temporaryNames(paths.temporary),
    ...assign.environment,
    ...fixed(assign, paths),
  }
}

type Overridable = 'CI' | 'HOME'
type Temporary = 'TMPDIR' | 'TMP' | 'TEMP'

function overridable(paths: TaskPaths): Record<Overridable, string> {
  return { HOME: paths.directory, CI: 'true' }
}

function fixed(assign: Assign, paths: TaskPaths): Record<Exclude<RunnerVariable, Overridable | Temporary>, string> {
  return {
    SIGNALBOX: 'true',
    SIGNALBOX_WORKSPACE: paths.directory,
    SIGNALBOX_OUTPUT: paths.outputFile,
    SIGNALBOX_RUN_ID: assign.runId,
    SIGNALBOX_PIPELINE: assign.pipeline,
    SIGNALBOX_STEP: assign.step,
    SIGNALBOX_TASK: assign.task,
    SIGNALBOX_ATTEMPT: String(assign.attempt),
    SIGNALBOX_SCOPE: assign.scope,
    SIGNALBOX_FENCE: String(assign.fence),
  }
}
