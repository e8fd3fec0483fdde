import type { RequestPart } from '@signalbox/contracts/http/requests'
import type { memberRoutes } from '@signalbox/contracts/members/routes'
import { ROLES } from './access.ts'

type MemberQuery = NonNullable<RequestPart<typeof memberRoutes.listTeamMembers, 'query'>['query']>

/** "Why may this subject do that here?", as it stands in the address. */
export interface AccessQuestion {
  /** user:<id>, group:<id> or service_account:<id>. */
  readonly subject?: string
  readonly permission?: string
}

/** What narrows the members of a team, as it stands in the address. */
export interface MemberFilters {
  readonly kind?: string
  readonly role?: string
  readonly origin?: string
  readonly name?: string
}

const KINDS = ['user', 'group', 'service_account'] as const
const ORIGINS = ['own', 'inherited', 'group'] as const

/** The query of the API for the filters of the address; what is no filter is left out. */
export function memberQuery({ kind, role, origin, name }: MemberFilters): MemberQuery {
  return {
    limit: 100,
    ...known('kind', KINDS, kind),
    ...known('role', ROLES, role),
    ...known('origin', ORIGINS, origin),
    ...(name === undefined ? {} : { name: name.slice(0, 200) }),
  }
}

function known<Name extends string, Value extends string>(
  name: Name,
  values: readonly Value[],
  given: string | undefined,
): Partial<Record<Name, Value>> {
  const found: Partial<Record<Name, Value>> = {}
  const value = values.find((each) => each === given)
  if (value !== undefined) found[name] = value
  return found
}
