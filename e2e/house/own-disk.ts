import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DATA_FOLDER_VARIABLE } from './data-folder.ts'

/** Why no program can have a disk of its own here; false where one can. For `skip`. */
export const withoutOwnDisk: string | false =
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'signalbox-test', '/mnt']).status === 0
    ? false
    : 'this user may not mount a file system of its own (unshare --mount)'

/**
 * Words to put before those of a program: it sees a small file system in the folder that this variable of its
 * environment names. No other process sees the file system, which goes with the process.
 */
export function onOwnDisk(size: string, variable: 'DATA_DIR' | 'WORK_DIR'): readonly string[] {
  const folder = `"$${variable}"`
  const steps = [`mount -t tmpfs -o size=${size},mode=0711 signalbox-test ${folder}`]
  if (variable === 'DATA_DIR') {
    for (const { name, path } of copiedPrograms()) {
      steps.push(`mkdir ${folder}/${name}`, `mount --bind '${path}' ${folder}/${name}`)
    }
  }
  return ['unshare', '--mount', 'sh', '-c', `${steps.join(' && ')} && exec "$0" "$@"`]
}

/**
 * Where PostgreSQL's account cannot enter this checkout, its programs are copied beside the data. The copied programs
 * would fill the disk.
 */
function copiedPrograms(): { name: string; path: string }[] {
  const made = process.env[DATA_FOLDER_VARIABLE]
  if (made === undefined) return []
  const names = readdirSync(made).filter((name) => /^postgres-binaries-[\w.-]+$/.test(name))
  return names.map((name) => ({ name, path: join(made, name) }))
}
