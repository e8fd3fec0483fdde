import { readdirSync, readlinkSync } from 'node:fs'
import { sep } from 'node:path'
import { killProcess, signalGroup } from './process-group.ts'
import { readText } from './read-text.ts'

interface Stray {
  pid: number
  group: number | undefined
}

function link(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** The text of /proc/<pid>/stat; empty where there is none. */
export function statOf(pid: number | string): string {
  return readText(`/proc/${pid}/stat`)
}

/** Fields of /proc/<pid>/stat from the third on; the second, the program's name, may hold spaces and brackets. */
export function statFields(pid: number | string): string[] {
  const stat = statOf(pid)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function folderOf(path: string, workspaces: string): string | undefined {
  return path.startsWith(workspaces + sep) ? path.slice(workspaces.length + 1).split(sep)[0] : undefined
}

/** Attempts that may still run: by their fence, or by their folder for a process that shed its environment. */
export interface InHand {
  fence(fence: string): boolean
  folder(name: string): boolean
}

function isStray(pid: string, workspaces: string, inHand: InHand): boolean {
  const entries = readText(`/proc/${pid}/environ`).split('\0')
  const value = (name: string) => entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1)
  if (folderOf(value('SIGNALBOX_WORKSPACE') ?? '', workspaces) !== undefined) {
    return !inHand.fence(value('SIGNALBOX_FENCE') ?? '')
  }
  const folder = folderOf(link(`/proc/${pid}/cwd`), workspaces)
  return folder !== undefined && !inHand.folder(folder)
}

/**
 * Processes of attempts below `workspaces` that are no longer in hand. A runner that was killed left them, or they
 * escaped from their process group. Found by their environment or working directory, which survive the runner and
 * cannot be mistaken after a process id was given out anew. Finds nothing on systems without /proc.
 */
function findStrays(workspaces: string, inHand: InHand): Stray[] {
  let pids: string[]
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
  } catch {
    return []
  }
  const own = ownGroup()
  return pids.flatMap((pid) => {
    if (!isStray(pid, workspaces, inHand)) return []
    const group = Number(statFields(pid)[2])
    // A group that this process is in itself, or that init leads, is not the attempt's.
    return [{ pid: Number(pid), group: group > 1 && group !== own ? group : undefined }]
  })
}

function ownGroup(): number {
  return Number(statFields('self')[2])
}

/** Kills strays and the rest of their process groups; returns the number found. */
export function killStrays(workspaces: string, inHand: InHand): number {
  const strays = findStrays(workspaces, inHand)
  for (const { pid, group } of strays) {
    if (group !== undefined) signalGroup(group, 'SIGKILL')
    killProcess(pid)
  }
  return strays.length
}
