import { sql } from 'kysely'
import { type Queryable, type Statement, type Tx, toCamel } from '#platform/database'
import type { SnapshotData } from '../rules/snapshot.ts'

export interface Revision {
  readonly revision: number
  readonly bootstrapRevoked: boolean
}

/** One row: the cheap question whether anything has changed. */
export async function readRevision(db: Queryable): Promise<Revision> {
  const row = await db
    .selectFrom('access_revision')
    .select(['revision', 'bootstrap_revoked_at'])
    .executeTakeFirstOrThrow()
  return { revision: row.revision, bootstrapRevoked: row.bootstrap_revoked_at !== null }
}

/**
 * Everything but the scopes. The revision is read first, so the rest is never older. At worst a change is loaded under the
 * revision before, and the next look loads once more.
 */
export async function loadSnapshot(db: Queryable): Promise<Omit<SnapshotData, 'scopes'>> {
  const revision = await readRevision(db)
  const [users, serviceAccounts, members, grants, groups] = await Promise.all([
    db.selectFrom('users').select(['id', 'login']).where('disabled_at', 'is', null).execute(),
    db.selectFrom('service_accounts').select(['id', 'team_path', 'name']).where('disabled_at', 'is', null).execute(),
    db.selectFrom('group_members').select(['group_id', 'user_id']).execute(),
    db
      .selectFrom('grants')
      .select(['subject_kind', 'user_id', 'group_id', 'service_account_id', 'role', 'team_path'])
      .execute(),
    db.selectFrom('groups').select(['id', 'name']).execute(),
  ])
  return {
    ...revision,
    users,
    serviceAccounts: serviceAccounts.map(toCamel),
    groups,
    members: members.map(toCamel),
    grants: grants.map(({ user_id, group_id, service_account_id, ...row }) => ({
      ...toCamel(row),
      // A constraint holds that one of them is there.
      subjectId: user_id ?? group_id ?? service_account_id ?? '',
    })),
  }
}

/** Answers whether it was not revoked before; tells other processes at once. */
export async function revokeBootstrap(db: Queryable, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('access_revision')
    .set((eb) => ({ bootstrap_revoked_at: at, revision: eb('revision', '+', 1) }))
    .where('bootstrap_revoked_at', 'is', null)
    .executeTakeFirst()
  await sql`select pg_notify('access_changed', '')`.execute(db)
  return result.numUpdatedRows > 0n
}

/** Makes two changes that might each take away the last administrator wait for one another. */
export async function lockRevision(tx: Tx): Promise<Revision> {
  const row = await tx
    .selectFrom('access_revision')
    .select(['revision', 'bootstrap_revoked_at'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { revision: row.revision, bootstrapRevoked: row.bootstrap_revoked_at !== null }
}

/** Nobody changes who may do what until the transaction ends; others may hold it likewise. */
export async function lockRevisionShared(tx: Tx): Promise<number> {
  const row = await tx.selectFrom('access_revision').select('revision').forShare().executeTakeFirstOrThrow()
  return row.revision
}

/** As lockRevisionShared, for `Database.pipeline`. `follow` gets the revision. */
export function lockingRevision(
  follow: (revision: number | undefined) => void,
): Statement<{ readonly revision: number }> {
  return {
    text: 'select revision from access_revision for share',
    values: [],
    follow([row]) {
      follow(row?.revision)
      return []
    },
  }
}

/** Enabled users and service accounts that are administrators, themselves or through a group. */
export async function countAdministrators(db: Queryable): Promise<number> {
  const row = await db
    .selectFrom('grants')
    .leftJoin('group_members', 'group_members.group_id', 'grants.group_id')
    .leftJoin('users', (join) =>
      join.on((eb) =>
        eb.or([eb('users.id', '=', eb.ref('grants.user_id')), eb('users.id', '=', eb.ref('group_members.user_id'))]),
      ),
    )
    .leftJoin('service_accounts', 'service_accounts.id', 'grants.service_account_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('grants.role', '=', 'administrator')
    .where((eb) =>
      eb.or([
        eb.and([eb('users.id', 'is not', null), eb('users.disabled_at', 'is', null)]),
        eb.and([eb('service_accounts.id', 'is not', null), eb('service_accounts.disabled_at', 'is', null)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
