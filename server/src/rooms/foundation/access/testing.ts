import type { Role } from '@signalbox/contracts/access'
import { createToken } from '#platform/crypto'
import type { Queryable } from '#platform/database'
import type { Route } from '#platform/http'
import { createIds } from '#platform/ids'
import { createMetrics } from '#platform/metrics'
import type { Kit } from '#platform/room'
import type { Tool } from '#platform/tools'
import { type Audit, audit } from '#rooms/foundation/audit'
import { type AboveSecrets, type Secrets, secrets } from '#rooms/foundation/secrets'
import { type Teams, teams } from '#rooms/foundation/teams'
import { NOTHING_ABOVE } from '../secrets/testing.ts'
import { type AboveAccess, type Access, access } from './index.ts'
import { type AccessSnapshot, createSnapshot, type SnapshotData } from './rules/snapshot.ts'

/** Where nobody can sign in to a page. */
export const NO_SESSIONS: AboveAccess = { endSessions: async () => undefined }

const ids = createIds(Date.now)

export interface Foundation {
  readonly audit: Audit
  readonly teams: Teams
  readonly secrets: Secrets
  readonly access: Access
  readonly routes: readonly Route[]
  readonly tools: readonly Tool[]
  close(): Promise<void>
}

/** The rooms that the others stand on, as the house opens them; no loop runs. */
export async function openFoundation(
  kit: Kit,
  above: AboveSecrets = NOTHING_ABOVE,
  aboveAccess: AboveAccess = NO_SESSIONS,
): Promise<Foundation> {
  const auditParts = await audit.open(kit, {})
  const teamParts = await teams.open(kit, { audit: auditParts.door })
  const needs = { audit: auditParts.door, teams: teamParts.door }
  const secretParts = await secrets.open(kit, { ...needs, above })
  // Series of its own: a test may open the foundation twice on one kit.
  const accessParts = await access.open({ ...kit, metrics: createMetrics() }, { ...needs, above: aboveAccess })
  return {
    audit: auditParts.door,
    teams: teamParts.door,
    secrets: secretParts.door,
    access: accessParts.door,
    routes: [auditParts, teamParts, secretParts, accessParts].flatMap((parts) => parts.routes ?? []),
    tools: [auditParts, accessParts].flatMap((parts) => parts.tools ?? []),
    async close() {
      await accessParts.close?.()
      await secretParts.close?.()
    },
  }
}

/** Makes a user; answers its id. */
export async function aUser(db: Queryable, login: string): Promise<string> {
  const id = ids.next()
  const at = new Date()
  await db.insertInto('users').values({ id, login, name: login, created_at: at, updated_at: at }).execute()
  return id
}

/** Makes a service account of a team that exists; answers its id. */
export async function aServiceAccount(db: Queryable, teamPath: string, name: string): Promise<string> {
  const id = ids.next()
  await db.insertInto('service_accounts').values({ id, team_path: teamPath, name, created_at: new Date() }).execute()
  return id
}

/** `subject` is `user:<id>`, `group:<id>` or `service_account:<id>`; the team exists, or is '/'. */
export async function aGrant(db: Queryable, subject: string, role: Role, teamPath: string): Promise<string> {
  const id = ids.next()
  const [, kind = '', subjectId = ''] = /^(user|group|service_account):(.+)$/.exec(subject) ?? []
  await db
    .insertInto('grants')
    .values({
      id,
      subject_kind: kind === 'user' || kind === 'group' ? kind : 'service_account',
      user_id: kind === 'user' ? subjectId : null,
      group_id: kind === 'group' ? subjectId : null,
      service_account_id: kind === 'service_account' ? subjectId : null,
      role,
      team_path: teamPath,
      created_at: new Date(),
    })
    .execute()
  return id
}

/** Makes a token of a user or service account; answers its id and the token itself. */
export async function aToken(
  db: Queryable,
  owner: { readonly kind: 'user' | 'service_account'; readonly id: string },
  expiresAt?: Date,
): Promise<{ id: string; token: string }> {
  const id = ids.next()
  const { token, sha256, lastFour } = createToken(owner.kind)
  await db
    .insertInto('tokens')
    .values({
      id,
      name: 'a token',
      token_sha256: sha256,
      last_four: lastFour,
      user_id: owner.kind === 'user' ? owner.id : null,
      service_account_id: owner.kind === 'service_account' ? owner.id : null,
      expires_at: expiresAt ?? null,
      created_at: new Date(),
    })
    .execute()
  return { id, token }
}

/** A user with a role at a team path and a token: the usual caller of a test over HTTP. */
export function aMember(db: Queryable, login: string, role: Role, teamPath: string): Promise<Member> {
  return aMemberOf(db, login, { [teamPath]: role })
}

interface Member {
  readonly id: string
  readonly token: string
  readonly headers: { readonly authorization: string }
}

/** A user with a role at each of these team paths, and a token. */
export async function aMemberOf(db: Queryable, login: string, roles: Readonly<Record<string, Role>>): Promise<Member> {
  // At once: a snapshot that is loaded in between would know the user without a grant for a moment.
  const id = await db.transaction().execute(async (tx) => {
    const made = await aUser(tx, login)
    for (const [teamPath, role] of Object.entries(roles)) await aGrant(tx, `user:${made}`, role, teamPath)
    return made
  })
  const { token } = await aToken(db, { kind: 'user', id })
  return { id, token, headers: { authorization: `Bearer ${token}` } }
}

/** A snapshot with the given rights; nobody has any others. */
export function aSnapshot(data: Partial<SnapshotData> = {}): AccessSnapshot {
  const nothing = { users: [], serviceAccounts: [], groups: [], members: [], grants: [], scopes: [] }
  return createSnapshot({ revision: 1, bootstrapRevoked: true, ...nothing, ...data })
}
