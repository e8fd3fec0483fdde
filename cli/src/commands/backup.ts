import { resolve } from 'node:path'
import { Command } from 'commander'
import { dataDirOf } from '../config/local-instance.ts'
import { CommandFailed } from '../errors.ts'
import { type backupSummary, workOnBackups } from '../processes/server-backups.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Context } from './context.ts'

interface PlaceOptions {
  readonly json?: boolean
  readonly dataDir?: string
}

interface BackupOptions extends PlaceOptions {
  readonly withKey?: boolean
  readonly allowMissingObjects?: boolean
}

/** `backup`: saves what the control plane here holds, while it runs or while it is stopped. */
export function backupCommand(context: Context): Command {
  return placeCommand(
    'backup',
    'save database and objects into a new folder, while the control plane runs or is stopped',
  )
    .argument('<folder>', 'folder to create')
    .option('--with-key', 'save the secret key too; who has such a backup can open every secret')
    .option('--allow-missing-objects', 'go on where the object store has lost files of artifacts or caches')
    .action(async (folder: string, options: BackupOptions) => {
      const { surroundings } = context
      const flags = [
        ...(options.withKey ? ['--with-key'] : []),
        ...(options.allowMissingObjects ? ['--allow-missing-objects'] : []),
      ]
      const args = [`--backup=${resolve(surroundings.cwd, folder)}`, ...flags]
      const summary = await workOnBackups(withDataDir(surroundings, options), args)
      if (options.json) return context.printJson(summary)
      context.printNote(`${count(summary)} are saved in ${summary.place}.`)
      if (summary.missing_objects > 0) {
        context.printNote(`${summary.missing_objects} objects are lost, and not in it.`, 'warn')
      }
      const key = summary.has_key
        ? 'The secret key is in it: keep it as you keep passwords.'
        : 'The secret key is not in it: keep a copy of that apart, a restore needs it.'
      context.printNote(key)
    })
}

/** `restore`: makes a new data folder, or fills an empty external database. */
export function restoreCommand(context: Context): Command {
  return placeCommand('restore', 'make a new data folder from a backup, or fill the empty database of DATABASE_URL')
    .argument('<folder>', 'folder that `signalbox backup` created')
    .action(async (folder: string, options: PlaceOptions) => {
      const { surroundings } = context
      const args = [`--restore=${resolve(surroundings.cwd, folder)}`]
      const summary = await workOnBackups(withDataDir(surroundings, options), args)
      if (options.json) return context.printJson(summary)
      context.printNote(`${count(summary)} are restored in ${summary.place}. Start the control plane now.`)
    })
}

/** `migrate-to`: from the embedded database to an external one, or from that to another. */
export function migrateToCommand(context: Context): Command {
  return placeCommand('migrate-to', 'copy everything into another, empty database, while the control plane is stopped')
    .argument('<url>', 'postgres://user:password@host:5432/database; - reads it from the standard input')
    .option('--objects-to <object_store>', 'copy artifacts and caches into this object store too, such as s3://bucket')
    .action(async (given: string, options: PlaceOptions & { readonly objectsTo?: string }) => {
      const { surroundings } = context
      const url = given === '-' ? (await surroundings.readStdin()).trim() : given
      if (url === '') throw new CommandFailed('usage', 'The standard input has no address of a database.')
      const { objectsTo } = options
      const args = ['--move-database', ...(objectsTo === undefined ? [] : [`--objects-to=${objectsTo}`])]
      const summary = await workOnBackups(withDataDir(surroundings, options), args, url)
      if (options.json) return context.printJson(summary)
      context.printNote(`${count(summary)} are in ${summary.place}; each table was counted against its source.`)
      const store = objectsTo === undefined ? '' : ` and OBJECT_STORE=${objectsTo}`
      context.printNote(`Start the control plane with DATABASE_URL set to that${store}, and with the same secret key.`)
    })
}

function placeCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--json', 'print what was done as JSON')
    .option('--data-dir <folder>', 'the data folder (default: the option data_dir, .signalbox)')
}

function withDataDir(surroundings: Surroundings, { dataDir }: PlaceOptions): Surroundings {
  if (dataDir === undefined) return surroundings
  return { ...surroundings, env: { ...surroundings.env, DATA_DIR: dataDirOf(surroundings, dataDir) } }
}

function count({ rows, tables, objects }: ReturnType<typeof backupSummary>): string {
  return `${rows} rows of ${tables} tables and ${objects} objects`
}
