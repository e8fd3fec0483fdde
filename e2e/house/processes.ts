import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** `pid` and everything that it started, as far as it lives. */
export function familyOf(pid: number): number[] {
  const children = Map.groupBy(pids(), parentOf)
  const family = [pid]
  for (const one of family) family.push(...(children.get(one) ?? []))
  return family
}

/** Sends a signal to each of them that still lives. */
export function signalAll(family: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of family) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

/** MB in memory now; 0 where it has ended. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

/** Open files, sockets among them; 0 where it has ended. */
export function openFiles(pid: number): { readonly files: number; readonly sockets: number } {
  try {
    const folder = `/proc/${pid}/fd`
    const targets = readdirSync(folder).map((name) => linkOf(`${folder}/${name}`))
    return { files: targets.length, sockets: targets.filter((target) => target.startsWith('socket:')).length }
  } catch {
    return { files: 0, sockets: 0 }
  }
}

function pids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** 0 where it has ended meanwhile. */
function parentOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
