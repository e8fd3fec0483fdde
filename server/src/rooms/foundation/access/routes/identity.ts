import { BootstrapState, Me, PermissionTable } from '@signalbox/contracts/access'
import { answer, type Caller, defineRoute, originOf, type Route } from '#platform/http'
import type { AccessMeans } from '../actions/change-access.ts'
import { describeSelf, type Self } from '../actions/describe-self.ts'
import type { BootstrapToken } from '../actions/keep-bootstrap.ts'
import { describeBootstrap, revokeBootstrap } from '../actions/revoke-bootstrap.ts'
import { PERMISSIONS, ROLE_NAMES, ROLES } from '../rules/permissions.ts'

const tag = 'auth'

export function identityRoutes(means: AccessMeans, bootstrap: BootstrapToken): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/auth/me',
      summary: 'Who the token stands for, and what they may do where',
      tag,
      class: 'authenticated',
      responses: { 200: Me },
      handle: async (request) => answer(200, presentMe(request.caller, await describeSelf(means, request.caller))),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/auth/permissions',
      summary: 'Every permission, and which role has it',
      tag,
      class: 'authenticated',
      responses: { 200: PermissionTable },
      handle: async () => answer(200, TABLE),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/auth/bootstrap',
      summary: 'Whether the bootstrap token still is an administrator',
      tag,
      class: 'authorized',
      permission: 'user.write',
      responses: { 200: BootstrapState },
      handle: async (request) => {
        const state = await describeBootstrap(means, bootstrap, request.caller)
        const { isValid, isConfigured, administratorExists } = state
        const body = { valid: isValid, configured: isConfigured, administrator_exists: administratorExists }
        return answer(200, body, { 'cache-control': 'no-store' })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/auth/bootstrap',
      summary: 'Revoke the bootstrap token for good; an administrator other than itself may',
      tag,
      class: 'authorized',
      permission: 'user.write',
      responses: { 204: 'empty' },
      problems: [{ status: 404 }],
      handle: async (request) => {
        await revokeBootstrap(means, bootstrap, originOf(request))
        return answer(204)
      },
    }),
  ]
}

const TABLE: PermissionTable = {
  permissions: Object.entries(PERMISSIONS).map(([name, description]) => ({ name, description })),
  roles: ROLE_NAMES.map((name) => ({ name, permissions: [...ROLES[name]] })),
}

function presentMe(caller: Caller, self: Self): Me {
  const somewhere = (permission: string): boolean => caller.prefixes(permission).length > 0
  return {
    kind: self.kind,
    id: caller.id,
    name: caller.name,
    display_name: self.user?.name ?? null,
    email: self.user?.email ?? null,
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
