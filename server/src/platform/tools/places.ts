import type { Permission } from '@signalbox/contracts/access'
import { prefixesWithin } from '#platform/http'

interface Holder {
  prefixes(permission: Permission): readonly string[]
}

/**
 * The team paths at and below which all of the permissions are held; `['/']` is everywhere, and so it is where none is
 * needed. Held apart, at teams beside each other, they are of no use together.
 */
export function placesOf(permissions: readonly Permission[], holder: Holder): readonly string[] {
  const [first, ...others] = permissions.map((permission) => holder.prefixes(permission))
  return others.reduce<readonly string[]>(meet, first ?? ['/'])
}

/** Whether all of the permissions are held together somewhere. */
export function holdsSomewhere(permissions: readonly Permission[], holder: Holder): boolean {
  return placesOf(permissions, holder).length > 0
}

/** The paths of the trees that lie in a tree of each side. */
function meet(left: readonly string[], right: readonly string[]): readonly string[] {
  const shared = right.flatMap((tree) => (tree === '/' ? left : prefixesWithin(left, tree)))
  return [...new Set(shared)].sort()
}
