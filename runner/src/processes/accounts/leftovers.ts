import { lstatSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCode } from '../../errors.ts'
import { readText } from '../read-text.ts'
import { statFields } from '../strays.ts'

/** Leftovers of an account on the machine, outside of the folders that the runner gave it. */
export interface Leftovers {
  readonly pids: number[]
  readonly files: string[]
  readonly ipcrm: string[]
}

// Where every account may make files: names at the top only, what lies deeper belongs to what lies there.
function commonFolders(): string[] {
  return [...new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run/lock'])]
}

const IPC_KINDS = [
  { file: 'shm', id: 'shmid', flag: '-m' },
  { file: 'sem', id: 'semid', flag: '-s' },
  { file: 'msg', id: 'msqid', flag: '-q' },
] as const

function vanished(error: unknown): void {
  if (systemCode(error) === undefined) throw error
}

/** Looks for what any of these accounts has left. One look serves many accounts: it costs about 1 ms. */
export function findLeftovers(uids: ReadonlySet<number>): ReadonlyMap<number, Leftovers> {
  const found = new Map<number, Leftovers>([...uids].map((uid) => [uid, { pids: [], files: [], ipcrm: [] }]))
  for (const { pid, uid } of processes()) {
    const left = found.get(uid)
    if (left !== undefined && !isDead(pid)) left.pids.push(pid)
  }
  for (const folder of commonFolders()) {
    for (const name of names(folder)) {
      const path = join(folder, name)
      try {
        found.get(lstatSync(path).uid)?.files.push(path)
      } catch (error) {
        vanished(error)
      }
    }
  }
  for (const { file, id, flag } of IPC_KINDS) {
    for (const row of table(`/proc/sysvipc/${file}`)) {
      for (const uid of new Set([Number(row['uid']), Number(row['cuid'])])) {
        found.get(uid)?.ipcrm.push(flag, row[id] ?? '')
      }
    }
  }
  return found
}

export function hasLeft({ pids, files, ipcrm }: Leftovers): boolean {
  return pids.length > 0 || files.length > 0 || ipcrm.length > 0
}

/** Whether any process of the account is left, one on its way out included. */
export function hasProcesses(account: number): boolean {
  return processes().some(({ pid, uid }) => uid === account && !isDead(pid))
}

function* processes(): Generator<{ pid: number; uid: number }, void> {
  for (const pid of names('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    try {
      // Of the folder itself the owner is always the effective user, also where the process hides the rest.
      yield { pid: Number(pid), uid: statSync(`/proc/${pid}`).uid }
    } catch (error) {
      vanished(error)
    }
  }
}

/** Killed, and not yet asked for by its parent: it runs nothing and holds nothing any more. */
function isDead(pid: number): boolean {
  const [state = 'X'] = statFields(pid)
  return state === 'Z' || state === 'X' || state === ''
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    vanished(error)
    return []
  }
}

function table(path: string): Record<string, string>[] {
  const [head = [], ...rows] = readText(path)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return rows
    .filter((row) => row.length === head.length)
    .map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])))
}
