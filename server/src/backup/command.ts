import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { ObjectStoreFailed } from '#adapters/object-store'
import type { Config } from '#platform/config'
import type { Log } from '#platform/log'
import { makeBackup } from './make-backup.ts'
import { moveDatabase } from './move-database.ts'
import { BackupRefused } from './refused.ts'
import { restoreBackup } from './restore-backup.ts'
import type { Summary } from './summary.ts'

const OPTIONS = {
  backup: { type: 'string' },
  'with-key': { type: 'boolean' },
  'allow-missing-objects': { type: 'boolean' },
  restore: { type: 'string' },
  // The address comes on the standard input: it holds a password, and everybody can read arguments.
  'move-database': { type: 'boolean' },
  'objects-to': { type: 'string' },
} as const

/** For `signalbox backup`, `restore` and `migrate-to`. Throws what an operator can mend as BackupRefused and its like. */
export async function runBackupCommand(
  config: Config,
  log: Log,
  { args, version }: { readonly args: readonly string[]; readonly version: string },
): Promise<Summary> {
  try {
    return await work(config, log, args, version)
  } catch (error) {
    if (!(error instanceof ObjectStoreFailed)) throw error
    const remedy = 'Look at object_store, --objects-to and the options that begin with s3_, and try again.'
    throw new BackupRefused(`${error.message} ${remedy}`, { cause: error })
  }
}

async function work(config: Config, log: Log, args: readonly string[], version: string): Promise<Summary> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  if (values.backup !== undefined) {
    const withKey = values['with-key'] === true
    const allowMissingObjects = values['allow-missing-objects'] === true
    return makeBackup(config, log, { folder: values.backup, withKey, allowMissingObjects, version })
  }
  if (values.restore !== undefined) return restoreBackup(config, log, values.restore)
  const url = (await text(process.stdin)).trim()
  if (url === '')
    throw new BackupRefused('The address of the other database is missing: give it on the standard input.')
  return moveDatabase(config, log, { url, objectsTo: values['objects-to'] })
}
