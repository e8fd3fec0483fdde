import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseRefused } from './refused.ts'

/** The account under which PostgreSQL runs; undefined: our own. */
export interface Owner {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

// `nobody` is last: a runner that is root gives that account to tasks, and a task must not reach the database's files.
const PREFERRED = ['postgres', 'daemon', 'bin', 'nobody']

/** PostgreSQL refuses uid 0, and initdb needs an account that the system knows by name. */
export function chooseOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name = '', , uid, gid]) => [name, { name, uid: Number(uid), gid: Number(gid) }]),
  )
  for (const name of PREFERRED) {
    const account = accounts.get(name)
    if (account && account.uid > 0) return account
  }
  throw new DatabaseRefused(
    'database.wrong_owner',
    'Running as root, and /etc/passwd names no unprivileged account for PostgreSQL: add a user "postgres".',
  )
}

/** Whether an account that owns nothing on the way can enter every folder above `path`. */
export function isReachable(path: string, owner: Owner | undefined): boolean {
  if (!owner) return true
  // Links lead past other folders than the name shows.
  const real = existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), 'it')
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    const stat = statSync(folder)
    const bit = stat.uid === owner.uid ? 0o100 : stat.gid === owner.gid ? 0o010 : 0o001
    if ((stat.mode & bit) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
