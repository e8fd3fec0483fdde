/** Where a repository lies and as whom it is read. All of it was checked before: see `sources` for what may be asked. */
export interface RepositoryAddress {
  /** https://, or http:// on loopback; without a user's name or password. */
  readonly cloneUrl: string
  /** Sent to the address's own origin only. */
  readonly credential: { readonly username: string; readonly password: string } | undefined
  /** Ends every process. */
  readonly signal: AbortSignal
}

/**
 * A commit by its full id, or what a full ref points at now. `ref` helps where a server gives out no commit by its id. The
 * id may be that of an annotated tag: then the commit is meant that it stands for.
 */
export type CommitAt =
  | { readonly commitSha: string; readonly ref: string | null }
  | { readonly commitSha: null; readonly ref: string }

/** `reason` is a sentence without a credential; `retry`: it may go well later. */
export interface GitFailure {
  readonly outcome: 'failed'
  readonly reason: string
  readonly retry: boolean
}

export interface FoundBlob {
  readonly outcome: 'found'
  readonly commitSha: string
  readonly blobId: string
}

export type BlobSearch = FoundBlob | { readonly outcome: 'absent'; readonly commitSha: string } | GitFailure

export type BlobReading = { readonly outcome: 'found'; readonly bytes: Buffer } | GitFailure

export type CommitSearch = { readonly outcome: 'found'; readonly commitSha: string } | GitFailure

/**
 * The base from which changed paths are counted. `before`: a commit. `merge_base`: the youngest common ancestor with
 * the commit that `with` points at, for a pull request or a new branch.
 */
export type PathsBase =
  | { readonly kind: 'before'; readonly commitSha: string }
  | { readonly kind: 'merge_base'; readonly with: CommitAt }

export type PathsReading = { readonly outcome: 'found'; readonly paths: readonly string[] } | GitFailure

/** A repository opened for one job: a bare copy that holds only the fetched objects, gone after `close`. */
export interface OpenRepository {
  /** The commit that a full ref points at now. The call fetches nothing. */
  findCommit(ref: string): Promise<CommitSearch>
  /** The blob of a path at a commit. Nothing but the commit and its trees on the way is fetched. */
  findBlob(at: CommitAt, path: string): Promise<BlobSearch>
  /** A blob that `findBlob` found; fails above `maxBytes`. */
  readBlob(blobId: string, maxBytes: number): Promise<BlobReading>
  /** Every changed path, renames as both names; fails where base or list cannot be had whole. */
  listChangedPaths(at: CommitAt, base: PathsBase): Promise<PathsReading>
  close(): Promise<void>
}

/** Reads repositories over real Git. Never throws on what a server does. */
export interface GitReader {
  open(address: RepositoryAddress): Promise<OpenRepository>
}
