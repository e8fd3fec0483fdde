import { type GraphAddress, readGraphAddress } from '../graph/index.ts'

/** The tabs of a run's page. */
export const TABS = [
  'overview',
  'why',
  'attempts',
  'values',
  'results',
  'artifacts',
  'approvals',
  'policies',
  'told',
] as const
export type Tab = (typeof TABS)[number]

/** The three ways to look at the tasks of a run. */
export const VIEWS = ['graph', 'timeline', 'table'] as const
export type View = (typeof VIEWS)[number]

/** What a run's page shows, as it stands in the address. */
export interface RunAddress extends GraphAddress {
  readonly tab?: Tab
  readonly view?: View
  /** `<step>` or `<step>/<task>`. */
  readonly task?: string
  readonly attempt?: number
  /** The artifact whose files are listed. */
  readonly artifact?: string | undefined
  /** Chosen lines of the log, and what is searched for there: the log reads them. */
  readonly line?: string
  readonly find?: string | number
  readonly expression?: true
}

/** A step, one of its tasks, or one of the task's attempts. */
export interface RunSelection {
  readonly step: string
  readonly task?: string
  readonly attempt?: number
}

/** Reads the address; what it cannot mean is left out. */
export function readRunAddress(search: Readonly<Record<string, unknown>>): RunAddress {
  const tab = TABS.find((each) => each === search['tab'])
  const view = VIEWS.find((each) => each === search['view'])
  const task = search['task']
  const attempt = Number(search['attempt'])
  const artifact = search['artifact']
  const { line, find, expression } = search
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(view === undefined ? {} : { view }),
    ...(typeof task === 'string' && task !== '' ? { task } : {}),
    ...(typeof artifact === 'string' && artifact !== '' ? { artifact } : {}),
    ...readGraphAddress(search),
    ...(Number.isInteger(attempt) && attempt > 0 ? { attempt } : {}),
    ...(typeof line === 'string' ? { line } : {}),
    ...(typeof find === 'string' || typeof find === 'number' ? { find } : {}),
    ...(expression === true ? { expression } : {}),
  }
}

export function selectionOf({ task, attempt }: RunAddress): RunSelection | undefined {
  if (task === undefined) return undefined
  // The values of a matrix may hold a slash; the name of a step never does.
  const slash = task.indexOf('/')
  if (slash < 0) return { step: task }
  const names = { step: task.slice(0, slash), task: task.slice(slash + 1) }
  return attempt === undefined ? names : { ...names, attempt }
}

export function addressOfSelection(selection: RunSelection | undefined): Pick<RunAddress, 'task' | 'attempt'> {
  if (!selection) return {}
  const { step, task, attempt } = selection
  return { task: task === undefined ? step : `${step}/${task}`, ...(attempt === undefined ? {} : { attempt }) }
}
