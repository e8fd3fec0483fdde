import type { Principal } from '@signalbox/contracts/http'
import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'

/** Notes whom these requests ask, at their team and at every path above it. */
export async function insertApprovers(tx: Tx, requestIds: readonly string[]): Promise<void> {
  if (requestIds.length === 0) return
  await sql`
    insert into approval_approvers (approver, team_path, request_id)
    select distinct approver, above.path, request.id
    from approval_requests as request, unnest(request.approvers) as approver,
      lateral (
        select '/' union all
        select array_to_string(parts[1:depth], '/')
        from string_to_array(request.team_path, '/') as parts, generate_series(1, cardinality(parts)) as depth
      ) as above (path)
    where request.id = any(${requestIds}::uuid[])`.execute(tx)
}

/** A name under which somebody is asked, and the path at and below which that counts. */
export interface AskedName {
  readonly approver: string
  readonly teamPath: string
}

export interface WaitingFilter {
  readonly asker: Principal
  readonly names: readonly AskedName[]
  readonly before: string | undefined
  readonly limit: number
}

/**
 * Ids of requests that wait for the asker, newest first: each name reads its newest from the primary key, and these are
 * merged. So the cost grows with names and page, not with the number of waiting requests. Only requests that the asker
 * decided or started are passed over. Each condition on a row is a subquery with one value, which no planner turns into a
 * join with a whole table.
 */
export async function listWaiting(db: Queryable, filter: WaitingFilter): Promise<string[]> {
  if (filter.names.length === 0) return []
  const { rows } = await waitingQuery(filter).execute(db)
  return rows.map((row) => row.id)
}

/** The statement of `listWaiting`; a test reads its plan. */
export function waitingQuery({ asker, names, before, limit }: WaitingFilter) {
  const approvers = names.map((name) => name.approver)
  const paths = names.map((name) => name.teamPath)
  return sql<{ id: string }>`
    select distinct newest.id
    from unnest(${approvers}::text[], ${paths}::text[]) as name (approver, team_path), lateral (
      select asked.request_id as id
      from approval_approvers as asked
      where asked.approver = name.approver and asked.team_path = name.team_path
        and asked.request_id < coalesce(${before ?? null}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        and (
          select (allow_self or initiator_kind <> ${asker.kind} or initiator_id <> ${asker.id})
            and (required = 1 or ${asker.kind} <> 'bootstrap')
          from approval_requests where id = asked.request_id
        )
        and (
          select count(*) from approval_decisions
          where request_id = asked.request_id and subject_kind = ${asker.kind} and subject_id = ${asker.id}
        ) = 0
      order by asked.request_id desc limit ${limit}
    ) as newest
    order by newest.id desc limit ${limit}`
}
