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
      // The process has ended.
    }
  }
}

/** Whether it is held by SIGSTOP. */
export function isStopped(pid: number): boolean {
  return statOf(pid)[0] === 'T'
}

/** CPU time that it has used; 0 where it has ended. */
export function cpuMs(pid: number): number {
  const [, , , , , , , , , , , user = 0, system = 0] = statOf(pid).map(Number)
  return (user + system) * TICK_MS
}

/** Each thread: its name, its state, and its wait in the kernel. */
export function describeThreads(pid: number): string {
  const folder = `/proc/${pid}/task`
  return list(folder)
    .map((thread) => {
      const of = (name: string): string => read(`${folder}/${thread}/${name}`).trim()
      const state = /State:\s+(.*)/.exec(of('status'))?.[1] ?? 'gone'
      return `thread ${thread} ${of('comm')}: ${state}, waits in ${of('wchan') || '?'}, system call ${of('syscall') || '?'}`
    })
    .join('\n')
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

const TICK_MS = 10

/** The fields 3 and later of proc(5), from the state on. */
function statOf(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function pids(): number[] {
  return list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** 0 where it has ended meanwhile. */
function parentOf(pid: number): number {
  return Number(statOf(pid)[1] ?? 0)
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
