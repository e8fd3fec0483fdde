import { createHash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { create, extract, type ReadEntry } from 'tar'
import { matchFiles } from './match-files.ts'
import { StayWithin } from './stay-within.ts'

// A process of its own that reads and writes the workspace as the user who runs tasks: what that user may not read goes
// into no archive, and no archive writes where that user may not. It loads its code first, as who started it.

type Order = {
  readonly what: 'pack' | 'unpack' | 'digest'
  readonly directory: string
  readonly paths: readonly string[]
  readonly owner: { readonly uid: number; readonly gid: number } | null
}

/** The last line on stderr; whatever went wrong is `problem`. */
export type ArchiveReport = {
  readonly files?: number
  readonly unreadable?: readonly string[]
  readonly digest?: string
  readonly problem?: string
}

const become = (owner: Order['owner']): void => {
  if (owner === null) return
  process.setgroups?.([])
  process.setgid?.(owner.gid)
  process.setuid?.(owner.uid)
}

const work = async ({ what, directory, paths }: Order): Promise<ArchiveReport> => {
  if (what === 'unpack') {
    const within = new StayWithin(directory)
    const filter = (path: string, entry: Stats | ReadEntry) => within.allows(path, 'linkpath' in entry ? entry : {})
    // Links keep their targets, as a virtual environment of Python needs it.
    const into = extract({ cwd: directory, preserveOwner: false, preservePaths: true, filter })
    await pipeline(process.stdin, createZstdDecompress(), into)
    if (within.refused !== undefined) throw new Error(`${within.refused} in the archive leads out of the workspace`)
    return {}
  }
  const { files, unreadable } = await matchFiles(directory, paths)
  if (what === 'digest') return { files: files.length, unreadable, digest: await digestOf(directory, files) }
  if (files.length > 0) {
    // Portable: neither owner nor times, so that the same files make the same archive.
    const archive = create({ cwd: directory, portable: true, noMtime: true, follow: false }, prefixed(files))
    await pipeline(archive, createZstdCompress(), process.stdout)
  }
  return { files: files.length, unreadable }
}

/** A name that begins with `@` would mean another archive, one with `-` an option. */
const prefixed = (files: readonly string[]): string[] => files.map((file) => `./${file}`)

const digestOf = async (directory: string, files: readonly string[]): Promise<string> => {
  const hash = createHash('sha256')
  for (const file of files) {
    const path = join(directory, file)
    const link = (await lstat(path)).isSymbolicLink()
    hash.update(`${file}\0${link ? 'link' : 'file'}\0`)
    if (link) hash.update(await readlink(path))
    else for await (const chunk of createReadStream(path)) hash.update(chunk)
    hash.update('\0')
  }
  return hash.digest('hex')
}

const main = async (order: Order): Promise<void> => {
  become(order.owner)
  let report: ArchiveReport
  try {
    report = await work(order)
  } catch (error) {
    report = { problem: error instanceof Error ? error.message : String(error) }
  }
  process.stderr.write(`${JSON.stringify(report)}\n`)
}

await main(JSON.parse(process.argv[2] ?? '{}'))
