import type { ConnectedRepositoryQuery, GitAppParams } from '@signalbox/contracts/git-apps'
import { compilePatterns } from '@signalbox/pipeline/patterns'
import { type Caller, type Page, requirePermission } from '#platform/http'
import type { Means } from '../means.ts'
import { type ConnectedRow, listConnected } from '../store/repositories.ts'
import { readProvider } from './find-app.ts'

const DEFAULT_LIMIT = 50
/** Rows that are read at a time: patterns of a team may leave out most of them. */
const BATCH = 500

/** The repositories that sources of a team may use, by name. The cursor is the name of the last one. */
export async function readConnected(
  means: Means,
  caller: Caller,
  { provider: name, query }: { readonly provider: GitAppParams['provider']; readonly query: ConnectedRepositoryQuery },
): Promise<Page<ConnectedRow>> {
  requirePermission(caller, 'webhook_source.read', query.team_path)
  const limit = query.limit ?? DEFAULT_LIMIT
  const wanted = { provider: readProvider(means, name), paths: means.teams.selfAndAncestors(query.team_path) }
  const found = new Map<string, ConnectedRow>()
  let after = query.cursor
  for (;;) {
    const rows = await listConnected(means.database.kysely, { ...wanted, after, limit: BATCH })
    const isLast = rows.length < BATCH
    // The rows of one name, few as they are, may be cut at the end of a batch: they are read with the next one.
    const whole = isLast ? rows : rows.filter(({ nameKey }) => nameKey !== rows.at(-1)?.nameKey)
    for (const row of whole) if (!found.has(row.nameKey) && admits(row)) found.set(row.nameKey, row)
    after = whole.at(-1)?.nameKey
    if (isLast || found.size > limit) break
  }
  const items = [...found.values()].slice(0, limit)
  return { items, next: found.size > limit ? items.at(-1)?.nameKey : undefined }
}

/** Whether a team's patterns let it use a repository of the installation. */
export function admits({ repositories, fullName }: Pick<ConnectedRow, 'repositories' | 'fullName'>): boolean {
  return compilePatterns(repositories, { caseInsensitive: true }).matches(fullName)
}
