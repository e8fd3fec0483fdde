import { platformProblem } from '#platform/problems'

/** The header `ETag` of a resource whose version is `version`: a number that no change leaves as it was. */
export function etagOf(version: number | Date): string {
  return `"${typeof version === 'number' ? version : version.getTime()}"`
}

/**
 * Throws version_conflict (409) when the caller sent an If-Match that does not name `etag`. Without the header anything
 * matches. Ask inside the transaction that holds the row, else two writers may both pass. RFC 9110, 13.1.1; a weak tag
 * never matches.
 */
export function requireMatch(ifMatch: string | string[] | undefined, etag: string): void {
  if (ifMatch === undefined) return
  const tags = [ifMatch].flat().flatMap((value) => value.split(',').map((tag) => tag.trim()))
  if (tags.includes('*') || tags.includes(etag)) return
  throw platformProblem(
    'version_conflict',
    `The resource has changed since it was read: it is now ${etag}. Read it again and repeat the change.`,
    { headers: { etag } },
  )
}
