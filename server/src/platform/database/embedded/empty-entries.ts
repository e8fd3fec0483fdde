import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseRefused } from './refused.ts'
import type { Identity } from './seen-by.ts'

// Many ways to copy a folder leave out files of no bytes and folders without files. PostgreSQL needs both: a table
// without rows is a file of no bytes. A clean stop therefore leaves a list of them beside the cluster, and the next
// start makes the missing ones again. The list is gone while the server runs: it would not be true any more.

const LIST = 'postgres.empty'
const TITLE =
  '# Files and folders of postgres/ that were empty at the last clean stop; a start makes missing ones again.'

/** Folders of every cluster that may be empty and must be there. */
const FOLDERS = [
  'pg_commit_ts/',
  'pg_dynshmem/',
  'pg_logical/mappings/',
  'pg_logical/snapshots/',
  'pg_notify/',
  'pg_replslot/',
  'pg_serial/',
  'pg_snapshots/',
  'pg_stat/',
  'pg_stat_tmp/',
  'pg_subtrans/',
  'pg_tblspc/',
  'pg_twophase/',
  'pg_wal/archive_status/',
  'pg_wal/summaries/',
]

/** Lists the empty files and folders of the cluster, after a clean stop. */
export async function listEmptyEntries(dataDir: string, cluster: string): Promise<void> {
  const entries = await findEmpty(cluster, '')
  const list = join(dataDir, LIST)
  // Whole or not at all: half of a list would be believed.
  writeFileSync(`${list}.new`, `${[TITLE, ...entries].join('\n')}\n`, { mode: 0o600, flush: true })
  renameSync(`${list}.new`, list)
}

/** Before a start: makes again, as PostgreSQL's account, what a copy left out. */
export async function makeEmptyEntries(dataDir: string, cluster: string, identity: Identity): Promise<void> {
  const list = join(dataDir, LIST)
  const listed = existsSync(list)
    ? readFileSync(list, 'utf8')
        .split('\n')
        .filter((line) => /^[\w.-][\w./-]*$/.test(line) && !line.split('/').includes('..'))
    : undefined
  const missing = [...new Set([...FOLDERS, ...(listed ?? [])])].filter((entry) => !existsSync(join(cluster, entry)))
  if (missing.length > 0) await makeAs(identity, cluster, missing)
  if (listed) forgetList(dataDir, list)
}

/** Durably: a list of before would speak of tables that have been filled since. */
function forgetList(dataDir: string, list: string): void {
  rmSync(list)
  const folder = openSync(dataDir, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

async function findEmpty(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  if (entries.length === 0) return folder === '' ? [] : [folder]
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = `${folder}${entry.name}`
      if (entry.isDirectory()) return findEmpty(root, `${path}/`)
      return entry.isFile() && (await stat(join(root, path))).size === 0 ? [path] : []
    }),
  )
  return found.flat()
}

const MAKE = `umask 077
while IFS= read -r entry; do
  case $entry in
    */) mkdir -p -- "$entry" ;;
    *) mkdir -p -- "$(dirname -- "$entry")" && : >>"$entry" ;;
  esac || exit 1
done`

/** Not by us where we are root: in a folder of another account a link could lead us elsewhere. */
async function makeAs(identity: Identity, cluster: string, entries: readonly string[]): Promise<void> {
  const env = { PATH: '/usr/bin:/bin' }
  const shell = spawn('/bin/sh', ['-c', MAKE], { ...identity, cwd: cluster, env, stdio: ['pipe', 'ignore', 'pipe'] })
  let complaint = ''
  shell.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  shell.stdin.on('error', () => undefined)
  shell.stdin.end(`${entries.join('\n')}\n`)
  const [code] = await once(shell, 'close')
  if (code === 0) return
  throw new DatabaseRefused(
    'database.did_not_start',
    `Files that a copy of ${cluster} left out cannot be made again: ${complaint.trim()}`,
  )
}
