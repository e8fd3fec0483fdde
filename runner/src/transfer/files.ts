import { rm } from 'node:fs/promises'
import type { Assign, CacheUse } from '@signalbox/contracts/runner'
import { describeError } from '../errors.ts'
import type { Owner } from '../processes/running-process.ts'
import type { Time } from '../time/index.ts'
import type { Archives } from './archives.ts'
import { TransferClient } from './transfer-client.ts'

export interface FilesTools {
  readonly archives: Archives
  readonly time: Time
}

export interface FilesPlace {
  readonly directory: string
  /** The account that the task runs as, when the runner is root. */
  readonly owner: Owner | undefined
  readonly signal: AbortSignal
  /** A sentence for the task's log. */
  readonly note: (sentence: string) => void
}

/** Kept from the beginning of an attempt for its end. */
export interface FetchedFiles {
  /** Under which its cache is to be kept; undefined: it is there already, or there is nothing to keep. */
  readonly cacheKey: string | undefined
}

export const NOTHING_FETCHED: FetchedFiles = { cacheKey: undefined }

/**
 * Brings the artifacts that a task asks for, and its cache, into the workspace. `problem` is a sentence: a missing
 * artifact keeps the task from starting, a cache never does.
 */
export async function fetchFiles(
  tools: FilesTools,
  assign: Assign,
  place: FilesPlace,
): Promise<FetchedFiles | { readonly problem: string }> {
  const { transfer, downloads, cache } = assign
  if (transfer === undefined) return NOTHING_FETCHED
  const { time } = tools
  const { signal, note } = place
  const archives = tools.archives.as(place.owner)
  const client = new TransferClient(transfer, time, signal)
  for (const { artifactId, name } of downloads) {
    try {
      await bring({ archives, client }, 'artifacts', artifactId, place)
    } catch (error) {
      return { problem: `The artifact ${name} could not be brought into the workspace: ${describeError(error)}` }
    }
    note(`Artifact ${name} is in the workspace.`)
  }
  if (cache === undefined) return NOTHING_FETCHED
  try {
    return await restoreCache({ archives, time }, client, cache, place)
  } catch (error) {
    note(`The cache could not be restored: ${describeError(error)}`)
    return NOTHING_FETCHED
  }
}

async function restoreCache(
  { archives }: FilesTools,
  client: TransferClient,
  cache: CacheUse,
  place: FilesPlace,
): Promise<FetchedFiles> {
  const { directory, signal, note } = place
  const digest = cache.files.length === 0 ? undefined : await archives.digest(directory, cache.files, signal)
  if (cache.files.length > 0 && digest === undefined) note(`No file fits ${cache.files.join(', ')}.`)
  const key = digest === undefined ? cache.key : `${cache.key}-${digest}`
  const hit = await client.findCache(key, cache.fallback)
  if (hit === null) {
    note(`No cache is stored under ${key}.`)
    return { cacheKey: key }
  }
  await bring({ archives, client }, 'caches', hit.id, place)
  note(`The cache ${hit.key} is in the workspace (${inMb(hit.size)} MB).`)
  return { cacheKey: hit.exact ? undefined : key }
}

interface Transfer {
  readonly archives: Archives
  readonly client: TransferClient
}

async function bring(
  { archives, client }: Transfer,
  kind: 'artifacts' | 'caches',
  id: string,
  { directory, signal }: FilesPlace,
): Promise<void> {
  const file = archives.newFile()
  try {
    await client.fetch(kind, id, file)
    await archives.unpack(directory, file, signal)
  } finally {
    await rm(file, { force: true })
  }
}

/**
 * Keeps what a task left: its artifacts, as its directive says when, and its cache after success. Answers a sentence
 * where an artifact could not be kept: the task has failed then, for later ones count on it.
 */
export async function keepFiles(
  tools: FilesTools,
  assign: Assign,
  { cacheKey, succeeded }: FetchedFiles & { readonly succeeded: boolean },
  place: FilesPlace,
): Promise<string | undefined> {
  const { transfer, upload, cache } = assign
  if (transfer === undefined) return undefined
  const archives = tools.archives.as(place.owner)
  const client = new TransferClient(transfer, tools.time, place.signal)
  if (succeeded && cache !== undefined && cacheKey !== undefined) {
    await keepCache({ archives, client }, cacheKey, cache.paths, place)
  }
  const due = upload !== undefined && (upload.when === 'always' || (upload.when === 'failure') !== succeeded)
  if (!due) return undefined
  try {
    await using archive = await archives.pack(place.directory, upload.paths, place.signal)
    if (archive === undefined) {
      // After a failure there may well be nothing to keep.
      return succeeded ? `No file fits the paths of artifact ${upload.name}: ${upload.paths.join(', ')}.` : undefined
    }
    for (const folder of archive.unreadable) place.note(`The folder ${folder} cannot be read: it is in no artifact.`)
    if (archive.moreUnreadable > 0) place.note(`${archive.moreUnreadable} more folders cannot be read.`)
    await client.send(archive, 'artifact')
    await client.keepArtifact(upload.name, archive, Number(upload.retentionSeconds))
    place.note(`Artifact ${upload.name}: ${archive.files} files, ${inMb(archive.size)} MB.`)
    return undefined
  } catch (error) {
    return `The artifact ${upload.name} could not be kept: ${describeError(error)}`
  }
}

async function keepCache(
  { archives, client }: Transfer,
  key: string,
  paths: readonly string[],
  { directory, signal, note }: FilesPlace,
): Promise<void> {
  try {
    // Tasks that began together all found nothing; what would be sent in vain counts against the team's quota for a while.
    const meanwhile = await client.findCache(key, [])
    if (meanwhile?.exact) return note(`The cache is not kept: meanwhile another task has kept one under ${key}.`)
    await using archive = await archives.pack(directory, paths, signal)
    if (archive === undefined) return note(`No file fits the paths of the cache: ${paths.join(', ')}.`)
    await client.send(archive, 'cache')
    const { stored, reason } = await client.keepCache(key, archive)
    note(
      stored ? `The cache is kept under ${key} (${inMb(archive.size)} MB).` : `The cache is not kept: ${reason ?? ''}`,
    )
  } catch (error) {
    note(`The cache could not be kept: ${describeError(error)}`)
  }
}

function inMb(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1)
}
