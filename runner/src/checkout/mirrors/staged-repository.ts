import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../../errors.ts'
import type { Owner } from '../../processes/running-process.ts'
import type { Trees } from '../../trees/trees.ts'
import type { Mirror, MirroredCommit } from './mirrors.ts'

const PACK_NAME = /^pack-[0-9a-f]{40,64}\.(?:pack|idx|rev)$/
const FOLDERS = ['', '.git', '.git/objects', '.git/objects/info', '.git/objects/pack', '.git/refs', '.git/refs/heads']

/** The space of the disk that a mirror takes, and the number of its packs. */
export function usageOf({ directory }: Mirror): { bytes: number; packs: number } {
  const folder = join(directory, 'objects', 'pack')
  const names = readdirSync(folder)
  const bytes = names.reduce(
    (sum, name) => sum + (lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  return { bytes, packs: names.filter((name) => name.endsWith('.pack')).length }
}

/** The end of the history that was just fetched. Throws the system's error. */
export function readShallow(mirror: Mirror): string {
  return readOwnFile(mirror, 'shallow')
}

/** The tags of a mirror whose refs Git has packed. Throws the system's error. */
export function readTags(mirror: Mirror): string {
  const lines: string[] = []
  let isTag = false
  for (const line of readOwnFile(mirror, 'packed-refs').split('\n')) {
    // The line after a tag names its commit.
    if (!line.startsWith('^')) isTag = / refs\/tags\//.test(line)
    if (isTag && line !== '') lines.push(`${line}\n`)
  }
  return lines.length === 0 ? '' : `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`
}

function readOwnFile({ directory }: Mirror, name: string): string {
  let file: number
  try {
    file = openSync(join(directory, name), constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return ''
    throw error
  }
  try {
    return readFileSync(file, 'latin1')
  } finally {
    closeSync(file)
  }
}

export interface StageTools {
  readonly root: string
  readonly trees: Trees
}

/**
 * A repository that is made where no task can enter, and then put into a workspace. The repository links the packs of a
 * mirror under names of its own, so that it stays whole when the mirror goes.
 */
export class StagedRepository implements AsyncDisposable {
  readonly #tools: StageTools
  readonly directory: string
  readonly #packs: readonly string[]

  private constructor(tools: StageTools, directory: string, packs: readonly string[]) {
    this.#tools = tools
    this.directory = directory
    this.#packs = packs
  }

  /** During the turn at the mirror. Throws the system's error. */
  static of(tools: StageTools, mirror: Mirror, { shallow, tags }: MirroredCommit, url: string): StagedRepository {
    const directory = join(tools.root, `stage-${randomUUID()}`)
    mkdirSync(directory, { mode: 0o700 })
    for (const folder of FOLDERS.slice(1)) mkdirSync(join(directory, folder))
    const from = join(mirror.directory, 'objects', 'pack')
    const packs = readdirSync(from).filter((name) => PACK_NAME.test(name))
    for (const name of packs) linkSync(join(from, name), join(directory, '.git/objects/pack', name))
    // Git made it in the mirror, with the right format of objects.
    const isSha256 = packs.some((name) => name.length > 60)
    const format = isSha256
      ? '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n[core]\n'
      : '\trepositoryformatversion = 0\n'
    const origin = `[remote "origin"]\n\turl = "${url.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"\n`
    const fetch = '\tfetch = +refs/heads/*:refs/remotes/origin/*\n'
    const core = `[core]\n${format}\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n`
    writeFileSync(join(directory, '.git/config'), core + origin + fetch)
    writeFileSync(join(directory, '.git/HEAD'), 'ref: refs/heads/main\n')
    if (shallow !== '') writeFileSync(join(directory, '.git/shallow'), shallow, 'latin1')
    if (tags !== '') writeFileSync(join(directory, '.git/packed-refs'), tags, 'latin1')
    return new StagedRepository(tools, directory, packs)
  }

  /**
   * Copies the content of the packs, so that nobody changes a mirror through them. A file system that shares blocks
   * does it at no cost. Rejects with the system's error.
   */
  async copyPacks(): Promise<void> {
    for (const name of this.#packs) {
      const path = join(this.directory, '.git/objects/pack', name)
      await copyFile(path, `${path}.own`, constants.COPYFILE_FICLONE)
      renameSync(`${path}.own`, path)
    }
  }

  /** Gives it to an account; packs that a mirror has as well stay as they are. Throws the system's error. */
  giveTo(owner: Owner | undefined): void {
    if (owner === undefined) return
    const own = ['.git/config', '.git/HEAD', '.git/shallow', '.git/packed-refs']
    const packs = this.#packs.map((name) => `.git/objects/pack/${name}`)
    for (const name of [...FOLDERS, ...own, ...packs]) {
      const path = join(this.directory, name)
      const stat = lstatSync(path, { throwIfNoEntry: false })
      if (stat === undefined || (stat.isFile() && stat.nlink > 1)) continue
      chownSync(path, owner.uid, owner.gid)
    }
  }

  /** Gives all of it away that was made in it since, too. Rejects with the system's error. */
  async giveWhole(owner: Owner): Promise<void> {
    await this.#tools.trees.takeOver(this.directory, owner)
  }

  /** Puts it in place of an empty folder. Throws the system's error. */
  moveTo(target: string): void {
    chmodSync(this.directory, 0o755)
    // The rename replaces an empty folder only: no file of a task, and no link.
    renameSync(this.directory, target)
  }

  /** Removes a repository that was not handed over. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tools.trees.remove(this.directory)
  }
}
