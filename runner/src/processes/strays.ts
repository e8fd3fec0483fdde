import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { sep } from 'node:path'
import { signalGroup } from './process-group.ts'

type Stray = { pid: number; group: number | undefined }

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // Gone in the meantime, or another user's.
    return ''
  }
}

const link = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** Fields of /proc/<pid>/stat from the third on; the second, the program's name, may hold spaces and brackets. */
const statFields = (pid: number | string): string[] => {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** When a process was started, in clock ticks since boot: with its id it names a process for ever. Linux only. */
export const startTicks = (pid: number): string | undefined => statFields(pid)[19]

const folderOf = (text: string, workspaces: string): string | undefined => {
  if (!text.startsWith(workspaces + sep)) return undefined
  return text.slice(workspaces.length + 1).split(sep)[0]
}

const attemptOf = (pid: string, workspaces: string): string | undefined => {
  const marker = 'SIGNALBOX_WORKSPACE='
  const entry = read(`/proc/${pid}/environ`)
    .split('\0')
    .find((each) => each.startsWith(marker))
  const byEnvironment = entry === undefined ? undefined : folderOf(entry.slice(marker.length), workspaces)
  return byEnvironment ?? folderOf(link(`/proc/${pid}/cwd`), workspaces)
}

/**
 * Processes that belong to attempts below `workspaces` which are no longer in hand: left by a runner that was killed,
 * or escaped from their process group. Found by their environment or working directory, which survive the runner and
 * cannot be mistaken after a process id was given out anew. Finds nothing on systems without /proc.
 */
export const findStrays = (workspaces: string, inHand: (attempt: string) => boolean): Stray[] => {
  let pids: string[]
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
  } catch {
    return []
  }
  return pids.flatMap((pid) => {
    const attempt = attemptOf(pid, workspaces)
    if (attempt === undefined || inHand(attempt)) return []
    const group = Number(statFields(pid)[2])
    // A group that this process is in itself, or that init leads, is not the attempt's.
    return [{ pid: Number(pid), group: group > 1 && group !== ownGroup() ? group : undefined }]
  })
}

const ownGroup = (): number => Number(statFields('self')[2])

/** Kills strays and what is left of their process groups; returns how many were found. */
export const killStrays = (workspaces: string, inHand: (attempt: string) => boolean): number => {
  const strays = findStrays(workspaces, inHand)
  for (const { pid, group } of strays) {
    if (group !== undefined) signalGroup(group, 'SIGKILL')
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
  return strays.length
}
