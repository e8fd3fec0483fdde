import { ROLE_NAMES, type Role } from '@signalbox/contracts/access'
import { pathAndAbove } from './holdings.ts'

interface ComparedRight {
  readonly role: Role
  readonly teamPath: string
  readonly groupId: string | null
}

/** The order of the rights of one member: the strongest role, then the nearest team, then a grant to the member itself. */
export function compareRights(left: ComparedRight, right: ComparedRight): number {
  return (
    ROLE_NAMES.indexOf(right.role) - ROLE_NAMES.indexOf(left.role) ||
    pathAndAbove(right.teamPath).length - pathAndAbove(left.teamPath).length ||
    Number(left.groupId !== null) - Number(right.groupId !== null)
  )
}
