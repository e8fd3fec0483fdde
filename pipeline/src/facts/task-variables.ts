import type { RunFacts } from './run-facts.ts'

/** The facts of an attempt that the control plane knows. */
export interface AttemptFacts extends RunFacts {
  readonly url: string
}

interface TaskVariable {
  readonly name: string
  readonly meaning: string
  /** Undefined: the runner knows it, for each attempt. */
  readonly read?: (facts: AttemptFacts) => string | number | null
}

/**
 * Variables that every task has without asking, as the page of the language lists them. A variable that is null is absent, so
 * that `[ -n "${SIGNALBOX_TAG+x}" ]` and `set -u` tell the truth.
 */
export const TASK_VARIABLES = [
  { name: 'CI', meaning: '`true`. A task may give it another value.' },
  { name: 'HOME', meaning: 'The workspace. A task may give it another value.' },
  { name: 'TMPDIR', meaning: 'A folder for temporary files, on the host only. A task may give it another value.' },
  { name: 'TMP', meaning: 'As `TMPDIR`.' },
  { name: 'TEMP', meaning: 'As `TMPDIR`.' },
  { name: 'SIGNALBOX', meaning: '`true`: the task runs here.' },
  { name: 'SIGNALBOX_WORKSPACE', meaning: 'Path of the workspace, in which the task starts.' },
  { name: 'SIGNALBOX_OUTPUT', meaning: 'Path of the file to which the task writes its outputs.' },
  { name: 'SIGNALBOX_RUN_ID', meaning: 'Id of the run.' },
  { name: 'SIGNALBOX_RUN_URL', meaning: 'Address of the run.', read: ({ url }) => url },
  { name: 'SIGNALBOX_CAUSE', meaning: 'Why the run began, as `run.cause`.', read: ({ cause }) => cause },
  { name: 'SIGNALBOX_PIPELINE', meaning: 'Identifier of the pipeline, `<team path>/<name>`.' },
  { name: 'SIGNALBOX_STEP', meaning: 'Name of the step.' },
  { name: 'SIGNALBOX_TASK', meaning: 'Name of the task, or of its instance in a matrix.' },
  { name: 'SIGNALBOX_ATTEMPT', meaning: 'Number of the attempt, from 1.' },
  { name: 'SIGNALBOX_SCOPE', meaning: 'Scope in which the task runs.' },
  { name: 'SIGNALBOX_FENCE', meaning: 'Number of this attempt among all attempts of the installation; it only grows.' },
  {
    name: 'SIGNALBOX_REPOSITORY',
    meaning: 'Name of the repository, `owner/name`.',
    read: ({ repository }) => repository,
  },
  { name: 'SIGNALBOX_REF', meaning: 'Full name of the ref, such as `refs/heads/main`.', read: ({ ref }) => ref },
  {
    name: 'SIGNALBOX_BRANCH',
    meaning: 'Name of the branch; absent for a tag and for a pull request.',
    read: ({ branch }) => branch,
  },
  { name: 'SIGNALBOX_TAG', meaning: 'Name of the tag.', read: ({ tag }) => tag },
  { name: 'SIGNALBOX_COMMIT', meaning: 'Whole id of the commit.', read: ({ commit }) => commit },
  {
    name: 'SIGNALBOX_PULL_REQUEST',
    meaning: 'Number of the pull request.',
    read: ({ pullRequest }) => pullRequest,
  },
  {
    name: 'SIGNALBOX_BASE_REF',
    meaning: 'Name of the branch that the pull request wants to enter.',
    read: ({ baseRef }) => baseRef,
  },
  {
    name: 'SIGNALBOX_HEAD_REF',
    meaning:
      'Name of the branch from which the pull request comes. The author of the pull request chooses the name: quote it.',
    read: ({ headRef }) => headRef,
  },
  {
    name: 'SIGNALBOX_SCHEDULED_AT',
    meaning: 'The instant of the schedule that the run is for, RFC 3339 in UTC; absent in other runs.',
    read: ({ scheduledAt }) => scheduledAt,
  },
] as const satisfies readonly TaskVariable[]

type Names = (typeof TASK_VARIABLES)[number]

/** The variables that the runner sets. */
export type RunnerVariable = Exclude<Names, { readonly read: unknown }>['name']

/** The others, as data for the environment of the task; no shell reads them on the way. */
export function taskVariables(facts: AttemptFacts): Record<string, string> {
  const values: [string, string][] = []
  const variables: readonly TaskVariable[] = TASK_VARIABLES
  for (const { name, read } of variables) {
    const value = read?.(facts) ?? null
    if (value !== null) values.push([name, String(value)])
  }
  return Object.fromEntries(values)
}
