import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { mayEnter } from '@signalbox/runner/may-enter'
import { CommandFailed } from '../errors.ts'

/**
 * Makes the folder of the demo's repository, the only folder that its runner may check out from. Tasks of a runner that
 * is root run as another account. Where that account cannot enter the data folder (below /root, for example), the
 * repository lies in the system's temporary folder. Throws CommandFailed where somebody else has made that one.
 */
export function placeRepositories(dataDir: string): string {
  const beside = resolve(dataDir, 'demo', 'repositories')
  makeFolder(beside)
  if (process.getuid?.() !== 0 || mayEnter(beside, undefined)) return beside
  const name = createHash('sha256').update(beside).digest('hex').slice(0, 16)
  const elsewhere = join(tmpdir(), `signalbox-demo-${name}`)
  makeFolder(elsewhere)
  return elsewhere
}

/** Finds the folder of an earlier demo on this machine, so that its runs can be run again; undefined without one. */
export function findRepositories(dataDir: string): string | undefined {
  return existsSync(resolve(dataDir, 'demo', 'repositories')) ? placeRepositories(dataDir) : undefined
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const stat = lstatSync(folder)
  if (!stat.isDirectory() || (process.getuid !== undefined && stat.uid !== process.getuid())) {
    throw new CommandFailed('conflict', `${folder} belongs to somebody else.`, 'Choose another --data-dir.')
  }
  chmodSync(folder, 0o755)
}
