import { readFileSync, writeFileSync } from 'node:fs'

// Linux counts CPU time in ticks of 10 ms, whatever the kernel's own tick is.
const TICKS_PER_SECOND = 100

/** Seconds of CPU that a process has used. */
export function cpuSeconds(pid: number): number {
  const fields = statFields(pid)
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Like `cpuSeconds`, with all descendants, ended ones included: the whole of a PostgreSQL server. */
export function familyCpuSeconds(pid: number): number {
  const fields = statFields(pid)
  const ended = (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
  return childrenOf(pid).reduce((sum, child) => sum + orZero(() => familyCpuSeconds(child)), cpuSeconds(pid) + ended)
}

/** Resident memory of a process in MB (10^6 bytes). */
export function residentMegabytes(pid: number): number {
  return megabytesOf(pid, /^VmRSS:\s+(\d+) kB$/m)
}

/** Forgets the peak so far: the next one counts from now on. */
export function startPeakAnew(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The most that it ever was, or was since `startPeakAnew`. */
export function peakMegabytes(pid: number): number {
  return megabytesOf(pid, /^VmHWM:\s+(\d+) kB$/m)
}

function megabytesOf(pid: number, line: RegExp): number {
  return (Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e6
}

/** The fields after the command's name, which may itself hold spaces; [0] is the state. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children === '' ? [] : children.split(' ').map(Number)
}

function orZero(read: () => number): number {
  try {
    return read()
  } catch {
    // The process ended between the listing and the reading.
    return 0
  }
}
