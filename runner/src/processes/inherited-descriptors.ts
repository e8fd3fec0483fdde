import { closeSync, readdirSync, readFileSync } from 'node:fs'
import { systemCode } from '../errors.ts'

const CLOSES_ON_EXEC = 0o2000000
const LAST_STANDARD = 2

function flagsOf(descriptor: number): number | undefined {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1]
    return flags === undefined ? undefined : Number.parseInt(flags, 8)
  } catch (error) {
    // The listing itself was open under this number.
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}

/**
 * Closes the descriptors that the program that started this process left open, so that no task inherits them. A
 * descriptor leads to a file that the task may not open by name. Files that Node opens close on exec. Node marks
 * inherited descriptors as well, but stops at the first gap after 16. Linux only. Returns how many it closed.
 */
export function closeInheritedDescriptors(): number {
  let names: string[]
  try {
    names = readdirSync('/proc/self/fd')
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return 0
  }
  let closed = 0
  for (const descriptor of names.map(Number)) {
    const flags = flagsOf(descriptor)
    if (descriptor <= LAST_STANDARD || flags === undefined || (flags & CLOSES_ON_EXEC) !== 0) continue
    closeSync(descriptor)
    closed++
  }
  return closed
}
