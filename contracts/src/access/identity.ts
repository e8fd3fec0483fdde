import { type Static, Type } from 'typebox'
import { Nullable, Uuid } from '../http/index.ts'

/** The actions that a page may offer to the caller; the server checks every request all the same. */
export const Capabilities = Type.Object({
  administrator: Type.Boolean({ description: 'Holds the role administrator on the platform.' }),
  create_root_teams: Type.Boolean(),
  manage_users: Type.Boolean(),
  manage_settings: Type.Boolean(),
  start_runs: Type.Boolean({ description: 'Somewhere: permissions says where.' }),
  write_pipelines: Type.Boolean({ description: 'Somewhere: permissions says where.' }),
  permissions: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'The grants at each team path, which hold there and below; "/" is the platform.',
  }),
})
export type Capabilities = Static<typeof Capabilities>

export const Me = Type.Object({
  kind: Type.Union([Type.Literal('user'), Type.Literal('service_account'), Type.Literal('bootstrap')]),
  id: Type.String(),
  name: Type.String({ description: 'Login of a user, <team path>/<name> of a service account.' }),
  display_name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  session_id: Nullable(Uuid, { description: 'The session of the web page; null for a token.' }),
  groups: Type.Array(Type.Object({ id: Uuid, name: Type.String() })),
  capabilities: Capabilities,
})
export type Me = Static<typeof Me>

/** Of the token that makes the first administrator, and is one itself. */
export const BootstrapState = Type.Object({
  valid: Type.Boolean({ description: 'The token is an administrator: DELETE /v1/auth/bootstrap ends that for good.' }),
  configured: Type.Boolean({ description: 'The token is bootstrap_admin_token, or else lies in data_dir.' }),
  administrator_exists: Type.Boolean({ description: 'Somebody else can do what it does: it should be revoked.' }),
})
export type BootstrapState = Static<typeof BootstrapState>

export const PermissionTable = Type.Object({
  permissions: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  roles: Type.Array(Type.Object({ name: Type.String(), permissions: Type.Array(Type.String()) })),
})
export type PermissionTable = Static<typeof PermissionTable>
