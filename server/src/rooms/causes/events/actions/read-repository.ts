import type { Event } from '@signalbox/contracts/event'
import type { ManifestTrace } from '@signalbox/contracts/events'
import type { GitReader, OpenRepository, RepositoryAddress } from '#adapters/git'
import type { ReadManifest } from '#rooms/causes/triggers'
import type { Means } from '../means.ts'
import { MANIFEST_PATH, manifestAt, pathsBaseOf } from '../rules/index.ts'
import { findManifest, keepManifest } from '../store/manifests.ts'

/** A larger file is no list of triggers. */
const MAX_MANIFEST = 64 * 1024

export interface RepositoryReading {
  /** Null: the event is about no commit. */
  readonly trace: ManifestTrace | null
  readonly manifest: ReadManifest | undefined
  /** Whether it may go well later. */
  readonly retry: boolean
}

/** Opens a repository at the first question; a failure to open it is the answer to each. */
export async function withRepository<T>(
  git: GitReader,
  address: RepositoryAddress,
  work: (open: OpenRepository) => Promise<T>,
): Promise<T> {
  const open = await git.open(address)
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}

/** The manifest at the event's commit, read by real Git; known blobs come from memory. */
export async function readManifestOf(means: Means, open: OpenRepository, event: Event): Promise<RepositoryReading> {
  const at = manifestAt(event)
  if (!at) return { trace: null, manifest: undefined, retry: false }
  const base = { path: MANIFEST_PATH, commit_sha: at.commitSha, blob_id: null, reason: null, problems: [] }
  const found = await open.findBlob(at, MANIFEST_PATH)
  if (found.outcome === 'failed') {
    return { trace: { ...base, state: 'unreadable', reason: found.reason }, manifest: undefined, retry: found.retry }
  }
  if (found.outcome === 'absent') {
    return { trace: { ...base, commit_sha: found.commitSha, state: 'absent' }, manifest: undefined, retry: false }
  }
  const known = { ...base, commit_sha: found.commitSha, blob_id: found.blobId }
  const text = await readText(means, open, event.repository.full_name, found.blobId)
  if ('reason' in text) {
    return { trace: { ...known, state: 'unreadable', reason: text.reason }, manifest: undefined, retry: text.retry }
  }
  const read = await means.triggers.readManifest(text.text)
  if (read.ok) return { trace: { ...known, state: 'read' }, manifest: read.manifest, retry: false }
  const problems = read.problems.map(({ line, column, directive, message }) => ({ line, column, directive, message }))
  const reason = `The manifest has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}; it starts nothing.`
  return { trace: { ...known, state: 'invalid', reason, problems }, manifest: undefined, retry: false }
}

type Text = { readonly text: string } | { readonly reason: string; readonly retry: boolean }

async function readText(means: Means, open: OpenRepository, repository: string, blobId: string): Promise<Text> {
  const now = means.clock.now()
  const held = await findManifest(means.database.kysely, repository, blobId, now)
  if (held !== undefined) return { text: held }
  const read = await open.readBlob(blobId, MAX_MANIFEST)
  if (read.outcome === 'failed') return read
  // PostgreSQL cannot store NUL, and NUL is no valid YAML either.
  const text = read.bytes.toString('utf8').replaceAll('\0', '\uFFFD')
  await keepManifest(means.database.kysely, { repository, blobId, text, usedAt: now })
  return { text }
}

/** The event with the whole list of its changed files; as it was, with the reason, where that cannot be had. */
export async function completePaths(
  open: OpenRepository,
  event: Event,
): Promise<{
  readonly event: Event
  readonly failure: { readonly reason: string; readonly retry: boolean } | undefined
}> {
  const place = pathsBaseOf(event)
  if (!place) return { event, failure: undefined }
  const read = await open.listChangedPaths(place.at, place.base)
  if (read.outcome === 'failed') return { event, failure: read }
  const paths = read.paths.filter((path) => path.length <= MAX_PATH && path.isWellFormed())
  const complete = paths.length === read.paths.length
  return { event: { ...event, changed_paths: paths, changed_paths_complete: complete }, failure: undefined }
}

const MAX_PATH = 4_096
