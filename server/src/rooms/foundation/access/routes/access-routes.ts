import type { Route } from '#platform/http'
import type { Means } from '../means.ts'
import { explanationRoutes } from './explanation.ts'
import { grantRoutes } from './grants.ts'
import { groupRoutes } from './groups.ts'
import { identityRoutes } from './identity.ts'
import { memberRoutes } from './members.ts'
import { serviceAccountRoutes } from './service-accounts.ts'
import { tokenRoutes } from './tokens.ts'
import { userRoutes } from './users.ts'

export function accessRoutes(means: Means): Route[] {
  return [
    ...identityRoutes(means),
    ...userRoutes(means),
    ...groupRoutes(means),
    ...serviceAccountRoutes(means),
    ...tokenRoutes(means),
    ...grantRoutes(means),
    ...explanationRoutes(means),
    ...memberRoutes(means),
  ]
}
