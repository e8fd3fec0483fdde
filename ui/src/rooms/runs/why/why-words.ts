import { countOf } from '../../../components/count-of.ts'

/** The states of a run of which something failed. */
const FAILED: ReadonlySet<string> = new Set(['failure', 'timed_out', 'warning'])

export function isFailed(status: string): boolean {
  return FAILED.has(status)
}

/** The question that a state raises. */
export function titleOf(status: string): string {
  switch (status) {
    case 'queued':
    case 'waiting':
      return 'Why it waits'
    case 'failure':
      return 'Why it failed'
    case 'timed_out':
      return 'Why it timed out'
    case 'warning':
      return 'What failed in it'
    case 'canceled':
      return 'Why it ended'
    case 'running':
      return 'What it does'
    default:
      return 'What became of it'
  }
}

/** Says which permissions would show more. */
export function leftOutWords(permissions: readonly string[]): string {
  return `More would be shown with ${permissions.join(' and ')}.`
}

interface FewTasks {
  readonly count: number
  readonly first: readonly { readonly step: string; readonly task: string }[]
}

/** How many tasks, and the names of some. */
export function tasksWords({ count, first }: FewTasks): string {
  const names = first.map(({ step, task }) => `${step}/${task}`).join(', ')
  return count > first.length ? `${countOf(count, 'task')}, such as ${names}` : `${countOf(count, 'task')}: ${names}`
}

/** How the lines were chosen. */
export function linesWords(how: string, compared: number): string {
  switch (how) {
    case 'new_lines':
      return compared === 1
        ? 'Lines that the last success of this task did not have.'
        : `Lines that none of the last ${compared} successes of this task had.`
    case 'error_lines':
      return 'No recent success of this task is known: these lines look like errors.'
    case 'tail':
      return 'No line looks like an error: these are the last ones.'
    default:
      return 'The attempt wrote no line.'
  }
}
