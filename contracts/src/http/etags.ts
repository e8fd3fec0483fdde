/**
 * The ETag of a resource, from its version or the time of its last change. Who has the document from a list, which names no
 * ETags, says with it what was seen.
 */
export function etagOf(version: Date | number): string {
  return `"${typeof version === 'number' ? version : version.getTime()}"`
}
