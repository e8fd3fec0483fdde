import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { isFullDisk } from '../errors.ts'
import { OpenFolder } from '../trees/open-folder.ts'
import { ByteLimit } from './byte-limit.ts'
import { matchFiles } from './match-files.ts'
import { digestFiles, packFiles } from './pack.ts'
import { unpackInto } from './unpack.ts'

// A process of its own that reads and writes the workspace as the task user. No archive holds a file that this user may
// not read, or writes where this user may not. The process loads its code first, as the user who started it.

export type ArchiveWork =
  | { readonly what: 'pack' | 'digest'; readonly directory: string; readonly paths: readonly string[] }
  | { readonly what: 'unpack'; readonly directory: string; readonly staging: string }

type Order = ArchiveWork & {
  readonly limitBytes: number
  readonly owner: { readonly uid: number; readonly gid: number } | null
}

/** The last line on stderr; whatever went wrong is `problem`. Names and sentences are cut, so that it stays short. */
export interface ArchiveReport {
  readonly files?: number
  /** The first folders that could not be looked into. */
  readonly unreadable?: readonly string[]
  readonly moreUnreadable?: number
  readonly digest?: string
  readonly problem?: string
  /** The disk was full. */
  readonly full?: boolean
}

const MOST_NAMED = 20
const MOST_OF_NAME = 200
const MOST_OF_PROBLEM = 2000

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}...` : text
}

function become(owner: Order['owner']): void {
  if (owner === null) return
  process.setgroups?.([])
  process.setgid?.(owner.gid)
  process.setuid?.(owner.uid)
}

async function work(order: Order): Promise<ArchiveReport> {
  const limit = new ByteLimit(order.limitBytes)
  if (order.what === 'unpack') {
    await unpackInto(order.directory, order.staging, process.stdin, limit)
    return {}
  }
  using root = OpenFolder.open(order.directory)
  const { files, unreadable } = matchFiles(root, order.paths)
  const named = unreadable.slice(0, MOST_NAMED).map((folder) => cut(folder, MOST_OF_NAME))
  const matched = { files: files.length, unreadable: named, moreUnreadable: unreadable.length - named.length }
  if (order.what === 'digest') return { ...matched, digest: await digestFiles(root, files, limit) }
  if (files.length > 0) await pipeline(packFiles(root, files, limit), createZstdCompress(), process.stdout)
  return matched
}

async function main(order: Order): Promise<void> {
  become(order.owner)
  let report: ArchiveReport
  try {
    report = await work(order)
  } catch (error) {
    report = {
      full: isFullDisk(error),
      problem: cut(error instanceof Error ? error.message : String(error), MOST_OF_PROBLEM),
    }
  }
  process.stderr.write(`${JSON.stringify(report)}\n`)
}

await main(JSON.parse(process.argv[2] ?? '{}'))
