import * as shapes from '@signalbox/contracts/access'
import { identityRoutes as stated } from '@signalbox/contracts/access/routes'
import { answer, type Caller, originOf, type Route, serve } from '#platform/http'
import { describeSelf, type Self } from '../actions/describe-self.ts'
import { describeBootstrap, revokeBootstrap } from '../actions/revoke-bootstrap.ts'
import type { Means } from '../means.ts'
import { ROLES } from '../rules/permissions.ts'
import { presentLimits } from '../rules/token-limits.ts'

export function identityRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async getMe(request) {
      return answer(200, presentMe(request.caller, await describeSelf(means, request.caller)))
    },
    async listPermissions() {
      return answer(200, TABLE)
    },
    async getBootstrap(request) {
      const state = await describeBootstrap(means, request.caller)
      const { isValid, isConfigured, administratorExists } = state
      const body = { valid: isValid, configured: isConfigured, administrator_exists: administratorExists }
      return answer(200, body, { 'cache-control': 'no-store' })
    },
    async revokeBootstrap(request) {
      await revokeBootstrap(means, originOf(request))
      return answer(204)
    },
  })
}

const TABLE: shapes.PermissionTable = {
  permissions: shapes.PERMISSION_NAMES.map((name) => ({
    name,
    description: shapes.PERMISSIONS[name],
    family: shapes.familyOf(name),
    limitable: shapes.isLimitable(name),
  })),
  roles: shapes.ROLE_NAMES.map((name) => ({ name, permissions: [...ROLES[name]] })),
}

function presentMe(caller: Caller, self: Self): shapes.Me {
  const somewhere = (permission: shapes.Permission): boolean => caller.prefixes(permission).length > 0
  return {
    kind: self.kind,
    id: caller.id,
    name: caller.name,
    display_name: self.user?.name ?? null,
    email: self.user?.email ?? null,
    session_id: caller.sessionId ?? null,
    token: self.token ? { id: self.token.id, name: self.token.name, ...presentLimits(self.token.limits) } : null,
    groups: self.groups.map(({ id, name }) => ({ id, name })),
    capabilities: {
      administrator: self.administrator,
      create_root_teams: caller.can('team.write', '/'),
      manage_users: caller.can('user.write', '/'),
      manage_settings: caller.can('setting.write', '/'),
      start_runs: somewhere('run.start'),
      write_pipelines: somewhere('pipeline.write'),
      permissions: Object.fromEntries(Object.entries(self.permissions).map(([path, held]) => [path, [...held]])),
    },
  }
}
