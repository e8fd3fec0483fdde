// Plain JavaScript, so that a start from what is built needs no compiler for types.
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = resolve(import.meta.dirname, '..')
const WORKSPACES = ['cli', 'contracts', 'pipeline', 'runner', 'server']

/** The folder of what is built of the sources as they are now, whether it is there or not. */
export function folderOfBuild(root = ROOT) {
  return join(root, 'dist', stampOf(root))
}

/**
 * The address of a program to start: what is built of these very sources, else the sources. What runs is never older
 * than they are.
 */
export function programOf(name, root = ROOT) {
  const built = join(folderOfBuild(root), `${name}.js`)
  return pathToFileURL(mayRead(built) ? built : join(root, name, 'src/main.ts')).href
}

/** Whoever built it may have kept it from the account of the control plane. */
function mayRead(file) {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Equal while no source and no installed package changes: the path, size and time of change of each file, as `make`
 * compares them. Every start asks, so nothing is read.
 */
function stampOf(root) {
  // A machine that only runs tasks may have no other workspace.
  const workspaces = WORKSPACES.filter((name) => existsSync(`${root}/${name}/src`))
  const files = [
    ...workspaces.flatMap((name) => [`${name}/package.json`, ...sourcesIn(root, `${name}/src`)]),
    ...sourcesIn(root, 'build'),
    // Written anew by each installation.
    'node_modules/.package-lock.json',
  ]
  const digest = createHash('sha256')
  for (const file of files.sort()) {
    const found = statSync(`${root}/${file}`, { throwIfNoEntry: false })
    digest.update(`${file} ${found?.size} ${found?.mtimeMs}\n`)
  }
  return digest.digest('hex').slice(0, 16)
}

/** A recursive `readdir` of Node takes seven times as long. */
function sourcesIn(root, folder) {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return sourcesIn(root, path)
    return entry.name.endsWith('.test.ts') ? [] : [path]
  })
}
