export { type LockingSystem, lockFolder } from './lock-folder.ts'

/**
 * When a process was started, in the kernel's ticks, by what Linux says in `/proc/<pid>/stat`. With its id this names a process
 * for ever: an id alone may be another process's by now. Undefined for a process that has ended and that nobody has reaped yet.
 */
export function readBirth(stat: string): string | undefined {
  // The command may hold spaces and brackets; the fields after the last ")" are regular.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = 'X'] = fields
  return HAS_ENDED.has(state) ? undefined : fields[START_TIME]
}

const HAS_ENDED = new Set(['Z', 'X', 'x'])
/** Field 22 of all, and two stand before these. */
const START_TIME = 19
