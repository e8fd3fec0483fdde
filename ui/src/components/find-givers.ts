import type { Permission } from '@signalbox/contracts/access'
import { accessExplanationRoutes } from '@signalbox/contracts/access/routes'
import type { QueryClient } from '@tanstack/react-query'
import { read } from '../client/queries.ts'
import type { Me } from '../client/session.ts'
import { showInvisible } from './show-invisible.ts'

/** Who may give what changes seldom. */
const STALE_MS = 60_000
/** A sentence is no list of everybody. */
const NAMED = 3

/** Logins of who can give a permission that one lacks, as part of a sentence; undefined where nobody can be seen. */
export async function findGivers(
  client: QueryClient,
  me: Me,
  permission: Permission,
  at: string,
): Promise<string | undefined> {
  const query = { subject: `${me.kind}:${me.id}`, permission, team_path: at }
  const answer = read(accessExplanationRoutes.explainAccess, { query })
  const { remedies } = await client.fetchQuery({ ...answer, retry: false, staleTime: STALE_MS })
  const givers = remedies.find((each) => each.givers.length > 0)?.givers
  return givers?.slice(0, NAMED).map(showInvisible).join(' or ')
}
