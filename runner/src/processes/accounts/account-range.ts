import { RunnerError } from '../../errors.ts'
import { readText } from '../read-text.ts'

/** Numbers of accounts that are otherwise unused on the machine: `first` and the `count - 1` after it. */
export interface AccountRange {
  readonly first: number
  readonly count: number
}

/** Whether this is the user or group id of an account of the range. */
export function isInRange({ first, count }: AccountRange, id: number): boolean {
  return id >= first && id < first + count
}

/** Why no task may run as these accounts; undefined when they may. */
export function rangeProblem(range: AccountRange, passwd: string, uidMap: string): string | undefined {
  const { first, count } = range
  const last = first + count - 1
  for (const line of passwd.split('\n')) {
    const [name = '', , id = ''] = line.split(':')
    const uid = Number(id)
    if (id !== '' && isInRange(range, uid)) {
      return `The user ids ${first} to ${last} are to be the tasks' alone, but ${uid} is ${name}; choose others by --task-uid.`
    }
  }
  const mapped = uidMap
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .some(([inside = 0, , length = 0]) => inside <= first && last < inside + length)
  if (uidMap === '' || mapped) return undefined
  return `The user ids ${first} to ${last} do not exist in this user namespace; choose others by --task-uid and --task-uids.`
}

/** Throws `runner.task_uids_taken`. */
export function requireRange(range: AccountRange): void {
  const problem = rangeProblem(range, readText('/etc/passwd'), readText('/proc/self/uid_map'))
  if (problem !== undefined) throw new RunnerError('runner.task_uids_taken', problem)
}
