import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describeError, RunnerError, systemCode } from '../errors.ts'
import type { Owner } from '../processes/running-process.ts'

export type WorkDir = {
  /** Holds the credential, the lock and spilled log lines: for the runner's own user. */
  readonly folder: string
  readonly logs: string
  /** Archives on their way between a workspace and the control plane. */
  readonly transfers: string
  /** Workspaces and the files that git needs: the user that runs tasks may pass through, not list. */
  readonly tasks: string
  readonly workspaces: string
}

const mayEnter = (folder: string, owner: Owner): boolean => {
  const { mode, uid, gid } = statSync(folder)
  const bit = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001
  const parent = dirname(folder)
  return (mode & bit) !== 0 && (parent === folder || mayEnter(parent, owner))
}

/**
 * Makes the folders of a runner. Where the user that runs tasks cannot enter the work-dir (below /root, for example),
 * the workspaces go to the system's temporary folder.
 */
export const openWorkDir = (path: string, owner: Owner | undefined): WorkDir => {
  mkdirSync(path, { recursive: true, mode: 0o711 })
  const folder = realpathSync(path)
  const logs = join(folder, 'logs')
  const transfers = join(folder, 'transfers')
  for (const own of [logs, transfers]) {
    mkdirSync(own, { recursive: true, mode: 0o700 })
    chmodSync(own, 0o700)
  }

  let tasks = join(folder, 'tasks')
  if (owner !== undefined && !mayEnter(folder, owner)) {
    const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
    tasks = join(realpathSync(tmpdir()), `signalbox-runner-${name}`)
  }
  const workspaces = join(tasks, 'attempts')
  for (const each of [tasks, workspaces]) {
    mkdirSync(each, { recursive: true, mode: 0o711 })
    refuseForeign(each)
    chmodSync(each, 0o711)
  }
  return { folder, logs, transfers, tasks, workspaces }
}

// Anybody may make a folder of a known name in the temporary folder, or a link to somewhere else.
const refuseForeign = (folder: string): void => {
  const stat = lstatSync(folder)
  if (stat.isDirectory() && (process.getuid === undefined || stat.uid === process.getuid())) return
  throw new RunnerError('runner.work_dir_foreign', `${folder} belongs to somebody else; choose another --work-dir.`)
}

/** What could not be removed stays in the way of nobody, but in the way of the disk. */
export type Swept = { removed: number; stuck: readonly string[] }

/** Removes what a former life of this runner left: workspaces, spilled log lines and archives. */
export const sweepWorkDir = (workDir: WorkDir): Swept => {
  const leftovers = [workDir.workspaces, workDir.logs, workDir.transfers].flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  )
  const stuck = leftovers.flatMap((leftover) => {
    try {
      rmSync(leftover, { recursive: true, force: true, maxRetries: 3 })
      return []
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      return [describeError(error)]
    }
  })
  return { removed: leftovers.length - stuck.length, stuck }
}
