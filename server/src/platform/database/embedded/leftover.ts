import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasProcess } from '#platform/processes'
import type { Clock } from '#platform/time'
import type { Binaries } from './binaries.ts'
import { DatabaseRefused } from './refused.ts'
import type { Identity } from './seen-by.ts'

const PATIENCE_MS = 30_000
const POLL_MS = 20
/** Servants of a server that died end by themselves; after so long they are told to. */
const ORPHANS_MS = 5000

const run = promisify(execFile)

/**
 * Stops what an earlier process left behind when it was killed: the server of this cluster, or the servants of a server
 * that died. The data is whole, because the write-ahead log is. Throws DatabaseRefused when they do not end.
 */
export async function stopLeftover(
  cluster: string,
  binaries: Binaries,
  identity: Identity,
  clock: Clock,
): Promise<void> {
  if (process.platform === 'linux') return stopWorkersOf(cluster, clock)
  if (!existsSync(join(cluster, 'postmaster.pid'))) return
  await run(binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', '30'], { ...identity, cwd: '/' }).catch(
    // Not running: the pid file is stale, and the server itself removes it when it starts.
    () => undefined,
  )
}

/**
 * The kernel tells which processes work in the folder. The number in `postmaster.pid` may belong to another process by
 * now. In a copied folder, the number is that of the original's server.
 */
async function stopWorkersOf(cluster: string, clock: Clock): Promise<void> {
  const began = clock.monotonic()
  let told = false
  for (let workers = findWorkers(cluster); workers.length > 0; workers = findWorkers(cluster)) {
    const waited = clock.monotonic() - began
    if (waited > PATIENCE_MS) {
      throw new DatabaseRefused(
        'database.did_not_start',
        `Processes of an earlier server still work in ${cluster} and do not end: ${workers.join(', ')}. Stop them, then start again.`,
      )
    }
    const server = readServerPid(cluster)
    if (!told && server !== undefined && workers.includes(server)) {
      // SIGINT asks for a fast shutdown: sessions are ended, a checkpoint is written.
      tell(server, 'SIGINT')
      told = true
    } else if (!told && waited > ORPHANS_MS) {
      for (const worker of workers) tell(worker, 'SIGQUIT')
      told = true
    }
    await clock.sleep(POLL_MS)
  }
  const named = readServerPid(cluster)
  // Of a process that lives and is somebody else's: PostgreSQL would take it for its own predecessor and refuse.
  if (named !== undefined && hasProcess(named)) rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

function findWorkers(cluster: string): number[] {
  const place = statSync(cluster)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      if (pid === process.pid) return false
      try {
        const { dev, ino } = statSync(`/proc/${pid}/cwd`)
        return dev === place.dev && ino === place.ino && /postgres/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      } catch {
        // The process is gone, or belongs to an account that we may not look at: our server runs as another.
        return false
      }
    })
}

function readServerPid(cluster: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone meanwhile.
  }
}
