import type { Assign } from '@signalbox/contracts/runner'
import type { Workspace } from '../workspace/workspaces.ts'

export type BaseEnvironment = { path: string; lang: string }

const namePattern = /^[^=\0]+$/

/** Why no process can have this script and environment; undefined when one can. */
export const unusableText = (script: string, environment: Readonly<Record<string, string>>): string | undefined => {
  if (script.includes('\0')) return 'The script contains a NUL character, which no process can be given.'
  for (const [name, value] of Object.entries(environment)) {
    if (!namePattern.test(name)) return `The environment has the name ${JSON.stringify(name)}, which cannot be used.`
    if (value.includes('\0')) return `The environment variable ${name} contains a NUL character.`
  }
  return undefined
}

/**
 * All that a task's process sees: what it declares, a few names it may override (`PATH`, `HOME`, `LANG`, `CI`), and
 * the `SIGNALBOX_*` names, which it may not. Nothing of the runner's own environment.
 */
export const taskEnvironment = (
  assign: Assign,
  workspace: Workspace,
  base: BaseEnvironment,
): Record<string, string> => ({
  PATH: base.path,
  LANG: base.lang,
  HOME: workspace.directory,
  CI: 'true',
  ...assign.environment,
  SIGNALBOX_WORKSPACE: workspace.directory,
  SIGNALBOX_OUTPUT: workspace.outputFile,
  SIGNALBOX_RUN_ID: assign.runId,
  SIGNALBOX_PIPELINE: assign.pipeline,
  SIGNALBOX_STEP: assign.step,
  SIGNALBOX_TASK: assign.task,
  SIGNALBOX_ATTEMPT: String(assign.attempt),
  SIGNALBOX_SCOPE: assign.scope,
  SIGNALBOX_FENCE: String(assign.fence),
})
