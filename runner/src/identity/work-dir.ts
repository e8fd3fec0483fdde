import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeError, RunnerError, systemCode } from '../errors.ts'
import { mayEnter } from './may-enter.ts'

const TRASH_NAME = 'trash'

export interface WorkDir {
  /** Holds the credential, the lock and spilled log lines: for the runner's own user. */
  readonly folder: string
  /** The prefix for files of this work-dir that lie elsewhere: `signalbox-runner-` and a digest of its path. */
  readonly name: string
  /** Another one for most work-dirs. */
  readonly number: number
  readonly logs: string
  /** Archives on their way between a workspace and the control plane. */
  readonly transfers: string
  /** Workspaces and the files that git needs: the user that runs tasks may pass through, not list. */
  readonly tasks: string
  readonly workspaces: string
  /** The mirrors of repositories, for accounts that no task has. */
  readonly mirrors: string
  /** Former workspaces that are still to be removed. */
  readonly trash: string
}

/**
 * Makes the folders of a runner. `account` is the first of those that run tasks, when the runner is root. Where it cannot enter the work-dir (below /root, for example),
 * the workspaces go to the system's temporary folder.
 */
export function openWorkDir(path: string, account: number | undefined): WorkDir {
  mkdirSync(path, { recursive: true, mode: 0o711 })
  const folder = realpathSync(path)
  const logs = join(folder, 'logs')
  const transfers = join(folder, 'transfers')
  for (const own of [logs, transfers]) {
    mkdirSync(own, { recursive: true, mode: 0o700 })
    chmodSync(own, 0o700)
  }

  const digest = createHash('sha256').update(folder).digest()
  const name = `signalbox-runner-${digest.toString('hex').slice(0, 16)}`
  let tasks = join(folder, 'tasks')
  if (account !== undefined && !mayEnter(folder, account)) tasks = join(realpathSync(tmpdir()), name)
  const workspaces = join(tasks, 'attempts')
  const mirrors = join(tasks, 'mirrors')
  for (const each of [tasks, workspaces, mirrors]) {
    mkdirSync(each, { recursive: true, mode: 0o711 })
    refuseForeign(each)
    chmodSync(each, 0o711)
  }
  return {
    folder,
    name,
    number: digest.readUInt32BE(),
    logs,
    transfers,
    tasks,
    workspaces,
    mirrors,
    trash: join(workspaces, TRASH_NAME),
  }
}

// Anybody may make a folder of a known name in the temporary folder, or a link to somewhere else.
function refuseForeign(folder: string): void {
  const stat = lstatSync(folder)
  if (stat.isDirectory() && (process.getuid === undefined || stat.uid === process.getuid())) return
  throw new RunnerError('runner.work_dir_foreign', `${folder} belongs to somebody else; choose another --work-dir.`)
}

/** Files that could not be moved or removed (`stuck`) disturb nobody, but take space of the disk. */
export interface Swept {
  found: number
  stuck: readonly string[]
}

/**
 * Clears away what a former life of this runner left: spilled log lines and archives, which are files of its own, and
 * workspaces. Workspaces are only set aside, so that a start never waits for their removal.
 */
export function sweepWorkDir(workDir: WorkDir, setAside: (path: string) => void): Swept {
  const stuck: string[] = []
  let found = 0
  const each = (folder: string, clear: (path: string) => void): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (path === workDir.trash) continue
      found++
      try {
        clear(path)
      } catch (error) {
        if (systemCode(error) === undefined) throw error
        stuck.push(describeError(error))
      }
    }
  }
  each(workDir.workspaces, setAside)
  each(workDir.mirrors, setAside)
  for (const own of [workDir.logs, workDir.transfers]) each(own, (path) => rmSync(path, { force: true }))
  return { found, stuck }
}
