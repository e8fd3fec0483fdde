import type { Route } from '#platform/http'
import type { AccessMeans } from '../actions/change-access.ts'
import type { BootstrapToken } from '../actions/keep-bootstrap.ts'
import { grantRoutes } from './grants.ts'
import { groupRoutes } from './groups.ts'
import { identityRoutes } from './identity.ts'
import { serviceAccountRoutes } from './service-accounts.ts'
import { tokenRoutes } from './tokens.ts'
import { userRoutes } from './users.ts'

export function accessRoutes(means: AccessMeans, bootstrap: BootstrapToken): Route[] {
  return [
    ...identityRoutes(means, bootstrap),
    ...userRoutes(means),
    ...groupRoutes(means),
    ...serviceAccountRoutes(means),
    ...tokenRoutes(means),
    ...grantRoutes(means),
  ]
}
