import { platformProblem } from '#platform/problems'

export { etagOf } from '@signalbox/contracts/http/etags'

/** Throws version_conflict (409) when an If-Match header names neither `*` nor the current ETag. */
export function checkIfMatch(ifMatch: string | string[] | undefined, current: string): void {
  if (ifMatch === undefined) return
  const wanted = [ifMatch].flat().flatMap((value) => value.split(',').map((part) => part.trim()))
  if (wanted.includes('*') || wanted.includes(current)) return
  throw platformProblem('version_conflict', 'The resource has changed since it was read: read it again, then write.')
}

/** The time of a change of something whose ETag is its time: two changes in one millisecond must not look the same. */
export function laterThan(before: Date, now: Date): Date {
  return now > before ? now : new Date(before.getTime() + 1)
}
