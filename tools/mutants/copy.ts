import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, realpath, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** A copy of the files under `root` as they are now, committed or not, with the same packages installed. */
export async function copyProject(root: string): Promise<string> {
  // The real path: Node compares paths of modules, and the temporary folder may be a link.
  const copy = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-mutants-')))
  for (const name of await listFiles(root)) {
    await mkdir(dirname(join(copy, name)), { recursive: true })
    // Deleted files that are not yet committed are listed, too.
    await cp(join(root, name), join(copy, name), { verbatimSymlinks: true }).catch(ignoreMissing)
  }
  // Tests ask Git about the project.
  await execute('git', ['init', '--quiet'], { cwd: copy })
  await linkPackages(join(root, 'node_modules'), join(copy, 'node_modules'))
  // A workspace has packages of its own where the others need another version.
  for (const name of await readdir(root)) {
    const own = join(root, name, 'node_modules')
    if (existsSync(own)) await symlink(own, join(copy, name, 'node_modules'))
  }
  return copy
}

async function listFiles(root: string): Promise<readonly string[]> {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await execute('git', words, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  return [...new Set(stdout.split('\0').filter((name) => name !== ''))]
}

/** Our own packages are links into the project: those of the copy must lead into the copy. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const name of await readdir(from)) {
    if (name === '@signalbox') await copyLinks(join(from, name), join(to, name))
    else await symlink(join(from, name), join(to, name))
  }
}

async function copyLinks(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const name of await readdir(from)) {
    const target = relative(await realpath(from), await realpath(join(from, name)))
    await symlink(target, join(to, name))
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
