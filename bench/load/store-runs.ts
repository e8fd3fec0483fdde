import { zstdCompressSync } from 'node:zlib'
import type { HouseUnderTest } from '../house-under-test.ts'

export interface StoredRuns {
  readonly runs: number
  /** Each has a pipeline named build; the runs are spread over them. */
  readonly teams: readonly string[]
  /**
   * The oldest runs belong to this team alone, on a branch of the same name and on main. They have an initiator of that
   * name, this trigger, a cause and a pull request that no others have.
   */
  readonly rare: { readonly team: string; readonly runs: number; readonly trigger?: string }
}

/**
 * Writes finished runs straight into the tables, as months of work leave them, each with the event that caused it. Half
 * of the runs are on main, the others on a thousand branches. Ids grow with the time at which the runs ended, one each
 * second.
 */
export async function storeRuns(subject: HouseUnderTest, { runs, teams, rare }: StoredRuns): Promise<void> {
  // Events are stored apart from their runs, in blocks of events that came together; here in one block.
  const event = Buffer.from(JSON.stringify(EVENT), 'utf8')
  await subject.query(INSERT, [runs, teams, rare.team, rare.runs, zstdCompressSync(event), event.length, rare.trigger])
  // Autovacuum would do this later; the benchmark does not measure the first minute without statistics.
  await subject.query('analyze runs')
}

const INSERT = `
  with block as (
    insert into run_event_blocks (id, events_zstd) values (gen_random_uuid(), $5::bytea) returning id
  ), numbered as (
    select n, now() - make_interval(secs => $1::int - n) as at,
      case when n <= $4::int then $3 else ($2::text[])[1 + (n * 7919) % cardinality($2::text[])] end as team_path
    from generate_series(1, $1::int) as n
  ), placed as (
    select numbered.*,
      case when n <= $4::int and n % 2 = 0 then 'rare' when n % 2 = 1 then 'main' else 'topic-' || n % 1000 end as branch,
      (array['success', 'success', 'success', 'failure', 'canceled', 'warning', 'timed_out'])[1 + n % 7] as status
    from numbered
  )
  insert into runs (id, team_path, pipeline_id, pipeline_version_id, pipeline_identifier, pipeline_name,
    pipeline_version, scope, requirement, profile_environment, status, cause, initiator_kind, initiator_id,
    initiator_name, event_block_id, event_offset, event_bytes, variables,
    pull_request, trigger_id, repository, clone_url, ref, branch, commit_sha, queued_at, started_at, finished_at)
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
      || '8' || substr(md5(n::text), 4, 15))::uuid,
    placed.team_path, pipelines.id, pipeline_versions.id, pipelines.identifier, pipelines.name,
    pipelines.version, placed.team_path || '/test', '{"executor": "host", "labels": []}', '{}', status,
    case when n <= $4::int then 'request' else 'event' end, 'bootstrap', case when n <= $4::int then $3 else 'bootstrap' end,
    'bootstrap', block.id, 0, $6::int, '{}',
    case when n <= $4::int then 7 end, case when n <= $4::int then $7::uuid else trigger.id end, 'acme/shop',
    'https://git.example.invalid/acme/shop.git', 'refs/heads/' || branch, branch, md5(n::text) || substr(md5(n::text), 1, 8),
    at, at, at
  from block, (select gen_random_uuid() as id) as trigger, placed
  join pipelines on pipelines.identifier = placed.team_path || '/build'
  join pipeline_versions on pipeline_versions.pipeline_id = pipelines.id and pipeline_versions.version = pipelines.version
  order by n`

/** The size of an event of a push with three commits. */
const EVENT = {
  kind: 'push',
  action: 'updated',
  provider: 'github',
  repository: { owner: 'acme', name: 'shop', full_name: 'acme/shop', default_branch: 'main', private: true },
  commits: Array.from({ length: 3 }, (_, index) => ({
    sha: String(index).repeat(40),
    message: `A change that is told in a sentence of some length, number ${index}`,
    author: { name: 'Ada', login: 'ada', email: 'ada@example.invalid' },
    timestamp: '2026-01-01T00:00:00.000Z',
    web_url: `https://git.example.invalid/acme/shop/commit/${String(index).repeat(40)}`,
  })),
  changed_paths: Array.from({ length: 10 }, (_, index) => `src/part-${index}/index.ts`),
}
