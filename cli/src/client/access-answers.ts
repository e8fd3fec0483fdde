import type {
  Grant,
  Group,
  GroupMember,
  PermissionTable,
  ServiceAccount,
  Token,
  User,
  Me as WireMe,
} from '@signalbox/contracts/access'
import type { AuditRecord } from '@signalbox/contracts/audit'
import type { Environment, Team } from '@signalbox/contracts/teams'
import { anything, flag, list, object, orNull, partOf, text } from './shape.ts'

// As answers.ts, for the commands that say who may do what.

export const team = partOf<Team>()(object({ id: text, path: text, name: text, created_at: text, updated_at: text }))

export const environment = partOf<Environment>()(
  object({ id: text, name: text, scope: text, protected: flag, allowed_subjects: list(text) }),
)

export const user = partOf<User>()(
  object({
    id: text,
    login: text,
    name: text,
    email: orNull(text),
    has_password: flag,
    disabled: flag,
    created_at: text,
  }),
)

export const groupOfUsers = partOf<Group>()(object({ id: text, name: text, created_at: text }))

export const groupMember = partOf<GroupMember>()(object({ user_id: text, login: text }))

export const serviceAccount = partOf<ServiceAccount>()(
  object({ id: text, team_path: text, name: text, disabled: flag, created_at: text }),
)

export const grant = partOf<Grant>()(
  object({ id: text, subject: text, subject_name: text, role: text, team_path: text, created_at: text }),
)

export const token = partOf<Token>()(
  object({
    id: text,
    name: text,
    owner: orNull(text),
    last_four: orNull(text),
    expires_at: orNull(text),
    last_used_at: orNull(text),
  }),
)

const permissions = partOf<WireMe['capabilities']>()(object({ administrator: flag, permissions: anything }))

export const whoAmI = partOf<WireMe>()(
  object({
    kind: text,
    id: text,
    name: text,
    display_name: orNull(text),
    email: orNull(text),
    groups: list(object({ name: text })),
    capabilities: permissions,
  }),
)

export const permissionTable = partOf<PermissionTable>()(
  object({
    permissions: list(object({ name: text, description: text })),
    roles: list(object({ name: text, permissions: list(text) })),
  }),
)

export const auditRecord = partOf<AuditRecord>()(
  object({
    id: text,
    occurred_at: text,
    actor: object({ kind: text, name: text }),
    action: text,
    resource: object({ kind: text, id: text }),
    team_path: text,
  }),
)
