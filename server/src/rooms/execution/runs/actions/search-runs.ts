import type { FoundByText } from '#platform/database'
import { type Caller, prefixesOf } from '#platform/http'
import type { SearchWish } from '#platform/room'
import type { Means } from '../means.ts'
import { findRun, listRuns } from '../store/list-runs.ts'
import type { SummaryRow } from '../store/run-columns.ts'

/** Fewer digits would find any run. */
const LEAST_DIGITS = 4
const COMMIT_DIGITS = 40
const ID_DIGITS = 32

/** By the first digits of the id or of the commit; the newest first. */
export async function searchRuns(means: Means, caller: Caller, wish: SearchWish): Promise<readonly FoundByText[]> {
  const digits = wish.text.replaceAll('-', '')
  if (digits.length < LEAST_DIGITS || digits.length > COMMIT_DIGITS || !/^[0-9a-f]+$/.test(digits)) return []
  const db = means.database.kysely
  const prefixes = prefixesOf(caller, 'run.read', wish.within)
  if (digits.length === ID_DIGITS) {
    const run = await findRun(db, toUuid(digits))
    return run && prefixes.some((prefix) => isWithin(run.team_path, prefix)) ? [present(run, 0)] : []
  }
  const window = { prefixes, limit: wish.limit }
  const byCommit = await listRuns(db, { ...window, commit: digits, before: undefined })
  const byId =
    digits.length < ID_DIGITS ? await listRuns(db, { ...window, before: toUuid(digits.padEnd(ID_DIGITS, 'f')) }) : []
  const named = byId.filter((run) => run.id.replaceAll('-', '').startsWith(digits))
  const commits = byCommit.filter((run) => named.every(({ id }) => id !== run.id))
  return [...named.map((run) => present(run, 1)), ...commits.map((run) => present(run, 2))]
}

function toUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function isWithin(teamPath: string, prefix: string): boolean {
  return prefix === '/' || teamPath === prefix || teamPath.startsWith(`${prefix}/`)
}

type Shown = Pick<SummaryRow, 'id' | 'team_path' | 'pipeline_identifier' | 'status' | 'branch' | 'commit_sha'>

function present(run: Shown, rank: number): FoundByText {
  const { id, team_path: teamPath, pipeline_identifier: title, status, branch, commit_sha: commit } = run
  const detail = [status, branch, commit?.slice(0, 8)].filter((part) => part !== null && part !== undefined).join(', ')
  return { id, title, teamPath, detail, rank }
}
