import type { BodyOf } from '@signalbox/contracts/http/requests'
import type { runRoutes } from '@signalbox/contracts/runs/routes'

type RunStart = NonNullable<BodyOf<typeof runRoutes.startRun>>

/** A run as a person asks for it: every field as text, empty where it is left to the control plane. */
export interface RunDraft {
  readonly scope: string
  /** Values that differ from those of the document. */
  readonly variables: Readonly<Record<string, string>>
  readonly repository: string
  readonly ref: string
  readonly cloneUrl: string
  readonly commit: string
  readonly priority: string
}

export const EMPTY_RUN: RunDraft = {
  scope: '',
  variables: {},
  repository: '',
  ref: '',
  cloneUrl: '',
  commit: '',
  priority: '',
}

/** The request that a draft stands for; the server judges it. */
export function startOf(draft: RunDraft): RunStart {
  const { scope, repository, ref, cloneUrl, commit, priority } = draft
  return {
    ...(Object.keys(draft.variables).length > 0 ? { variables: draft.variables } : {}),
    ...textOf('scope', scope),
    ...textOf('repository', repository),
    ...textOf('ref', ref),
    ...textOf('clone_url', cloneUrl),
    ...textOf('commit_sha', commit.toLowerCase()),
    ...(priority.trim() === '' ? {} : { priority: Number(priority) }),
  }
}

/** The value of a variable, or none where it is that of the document again. */
export function withVariable(draft: RunDraft, name: string, value: string | undefined): RunDraft {
  const { [name]: _, ...others } = draft.variables
  return { ...draft, variables: value === undefined ? others : { ...others, [name]: value } }
}

/** The same request as words of the command line. */
export function commandOf(pipeline: string, start: RunStart): readonly string[] {
  const options = [
    ['--scope', start.scope],
    ['--repository', start.repository],
    ['--ref', start.ref],
    ['--clone-url', start.clone_url],
    ['--commit', start.commit_sha],
  ] as const
  return [
    'pipeline',
    'run',
    pipeline,
    ...Object.entries(start.variables ?? {}).flatMap(([name, value]) => ['--var', `${name}=${value}`]),
    ...options.flatMap(([option, value]) => (value === undefined ? [] : [option, value])),
  ]
}

function textOf<Name extends string>(name: Name, text: string): { readonly [N in Name]?: string } {
  const trimmed = text.trim()
  return trimmed === '' ? {} : record(name, trimmed)
}

function record<Name extends string>(name: Name, value: string): { readonly [N in Name]?: string }
function record(name: string, value: string): Readonly<Record<string, string>> {
  return { [name]: value }
}
