import type { Owner } from '@signalbox/contracts/http'

export interface RepositoryName {
  /** All of the full name before its last slash, as it was written. */
  readonly repoOwner: string
  readonly repoName: string
}

/** The one pipeline that the events of a repository start, whatever its manifest and the triggers say. */
export interface Override extends RepositoryName {
  readonly id: string
  /** Of the pipeline. */
  readonly teamPath: string
  /** `<team path>/<name>`; it may be gone by now. */
  readonly pipeline: string
  readonly scope: string
  /** Not applied from then on; null: never. */
  readonly expiresAt: Date | null
  readonly reason: string | null
  /** The principal that wrote the override last; its runs start on that principal's behalf. */
  readonly owner: Owner
  readonly createdAt: Date
  readonly updatedAt: Date
}

export function isExpired({ expiresAt }: Override, at: Date): boolean {
  return expiresAt !== null && expiresAt <= at
}

/** `owner/name` as it was written. */
export function fullNameOf({ repoOwner, repoName }: RepositoryName): string {
  return `${repoOwner}/${repoName}`
}

/** A repository's name as it is compared: letters of ASCII in one case, no others; as lower() of our columns does. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
