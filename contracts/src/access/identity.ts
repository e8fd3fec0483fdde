import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, Uuid } from '../http/index.ts'
import { TokenLimits } from './tokens.ts'

/** The actions that a page may offer to the caller; the server checks every request all the same. */
export const Capabilities = Type.Object({
  administrator: Type.Boolean({ description: 'Holds the role administrator on the platform.' }),
  create_root_teams: Type.Boolean(),
  manage_users: Type.Boolean(),
  manage_settings: Type.Boolean(),
  start_runs: Type.Boolean({ description: 'Somewhere: permissions says where.' }),
  write_pipelines: Type.Boolean({ description: 'Somewhere: permissions says where.' }),
  permissions: Type.Record(Type.String(), Type.Array(OwnName), {
    ...OURS,
    ...OURS,
    description:
      'What the grants allow at each team path and below, within the limits of the token; "/" is the platform.',
  }),
})
export type Capabilities = Static<typeof Capabilities>

/** The token of a request. */
export const UsedToken = Type.Object({ id: Uuid, name: Type.String(), ...TokenLimits.properties })
export type UsedToken = Static<typeof UsedToken>

export const Me = Type.Object({
  kind: Type.Union([Type.Literal('user'), Type.Literal('service_account'), Type.Literal('bootstrap')]),
  id: Type.String(OURS),
  name: Type.String({ ...OURS, description: 'Login of a user, <team path>/<name> of a service account.' }),
  display_name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  session_id: Nullable(Uuid, { description: 'The session of the web page; null for a token.' }),
  token: Nullable(UsedToken, { description: 'The token of the request; null for a session and the bootstrap token.' }),
  groups: Type.Array(Type.Object({ id: Uuid, name: OwnName })),
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
  permissions: Type.Array(
    Type.Object({
      name: OwnName,
      description: OwnName,
      family: Type.String({ ...OURS, description: 'A token can be limited to families.' }),
      limitable: Type.Boolean({ description: 'False: no token with limits has it.' }),
    }),
  ),
  roles: Type.Array(Type.Object({ name: OwnName, permissions: Type.Array(OwnName) })),
})
export type PermissionTable = Static<typeof PermissionTable>
