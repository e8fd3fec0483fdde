import type { RequestPart } from '@signalbox/contracts/http/requests'
import type { runRoutes } from '@signalbox/contracts/runs/routes'

type RunQuery = NonNullable<RequestPart<typeof runRoutes.listRuns, 'query'>['query']>

/** What the list may be narrowed by, with its name for people, in the order of the form. */
export const FILTERS = {
  status: 'Status',
  pipeline: 'Pipeline',
  branch: 'Branch',
  repository: 'Repository',
  commit: 'Commit',
  pull_request: 'Pull request',
  cause: 'Cause',
  initiator: 'Initiator',
  scope: 'Scope',
  trigger: 'Trigger',
  schedule: 'Schedule',
  external_trigger: 'External trigger',
  since: 'Since',
  until: 'Until',
} as const

export type FilterName = keyof typeof FILTERS

/** The filters of the list of runs, as they stand in the address; several statuses with commas between them. */
export type RunFilters = { readonly [K in FilterName]?: string }

export const CAUSES = [
  'event',
  'request',
  'rerun',
  'schedule',
  'external',
  'pipeline',
] as const satisfies readonly NonNullable<RunQuery['cause']>[]

export const STATUSES = [
  ...(['queued', 'running', 'paused'] as const),
  ...(['success', 'failure', 'warning', 'timed_out', 'canceled'] as const),
]

/** Reads the address; what is no filter is left out. The router reads `7` as a number. */
export function readRunFilters(search: Readonly<Record<string, unknown>>): RunFilters {
  return Object.fromEntries(
    Object.keys(FILTERS).flatMap((name) => {
      const value = search[name]
      const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
      return text === '' || (name === 'pull_request' && !/^[1-9]\d{0,14}$/.test(text)) ? [] : [[name, text]]
    }),
  )
}

export function statusesOf({ status }: RunFilters): readonly string[] {
  return status === undefined ? [] : [...new Set(status.split(',').filter((each) => each !== ''))]
}

/** The query of the API for the filters of the address. */
export function queryOf(filters: RunFilters): RunQuery {
  const { status: _status, cause, pull_request: pullRequest, ...rest } = filters
  const statuses = statusesOf(filters)
  const known = CAUSES.find((each) => each === cause)
  return {
    ...rest,
    ...(statuses.length > 0 ? { status: statuses } : {}),
    ...(known ? { cause: known } : {}),
    ...(pullRequest === undefined ? {} : { pull_request: Number(pullRequest) }),
  }
}

const OPTIONS: Readonly<Record<FilterName, string>> = {
  status: '--status',
  pipeline: '--pipeline',
  branch: '--branch',
  repository: '--repository',
  commit: '--commit',
  pull_request: '--pull-request',
  cause: '--cause',
  initiator: '--initiator',
  scope: '--scope',
  trigger: '--trigger',
  schedule: '--schedule',
  external_trigger: '--external-trigger',
  since: '--since',
  until: '--until',
}

/** The list as a path of the API and as words of the command line. */
export function copyOf(
  teamId: string | undefined,
  filters: RunFilters,
): { readonly path: string; readonly command: readonly string[] } {
  const statuses = statusesOf(filters)
  const pairs = Object.entries(OPTIONS).flatMap(([name, option]): [string, string, string][] => {
    const value = Object.entries(filters).find(([each]) => each === name)?.[1]
    if (value === undefined) return []
    return name === 'status' ? statuses.map((each) => [name, option, each]) : [[name, option, value]]
  })
  const search = new URLSearchParams(pairs.map(([name, , value]) => [name, value]))
  if (teamId !== undefined) search.set('teamId', teamId)
  const team = teamId === undefined ? [] : ['--team', teamId]
  const text = search.toString()
  return {
    path: `/v1/runs${text === '' ? '' : `?${text}`}`,
    command: ['run', 'list', ...team, ...pairs.flatMap(([, option, value]) => [option, value])],
  }
}
