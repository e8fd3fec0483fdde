import { sql } from 'kysely'
import { type Queryable, type RowOf, type Statement, type Tx, toCamel } from '#platform/database'
import { lowestIdOf } from '#platform/ids'
import type { Answer, Note, PullRequestPlace } from '../rules/index.ts'

export type StickyComment = RowOf<
  'sticky_comments',
  'marker' | 'comment_id' | 'creating' | 'recreated_at' | 'told' | 'told_at' | 'held_until'
>

/** The comment as stored, made where there is none; locked until the transaction ends. */
export async function lockComment(tx: Tx, place: PullRequestPlace, marker: string): Promise<StickyComment> {
  await tx
    .insertInto('sticky_comments')
    .values({ ...columns(place), marker })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .selectFrom('sticky_comments')
    .select(['marker', 'comment_id', 'creating', 'recreated_at', 'told', 'told_at', 'held_until'])
    .where((is) => is.and(columns(place)))
    .forUpdate()
    .executeTakeFirstOrThrow()
  return toCamel(row)
}

/** No other process writes the comment until then, and nobody knows what the provider shows. */
export async function reserveComment(tx: Tx, place: PullRequestPlace, heldUntil: Date): Promise<void> {
  await tx
    .updateTable('sticky_comments')
    .set({ told: null, held_until: heldUntil })
    .where((is) => is.and(columns(place)))
    .execute()
}

/** Before the call that makes it: the answer may never come. */
export async function noteCreating(db: Queryable, place: PullRequestPlace, recreatedAt: Date | null): Promise<void> {
  await db
    .updateTable('sticky_comments')
    .set({ creating: true, comment_id: null, ...(recreatedAt === null ? {} : { recreated_at: recreatedAt }) })
    .where((is) => is.and(columns(place)))
    .execute()
}

export async function keepCommentId(db: Queryable, place: PullRequestPlace, commentId: string): Promise<void> {
  await db
    .updateTable('sticky_comments')
    .set({ comment_id: commentId, creating: false })
    .where((is) => is.and(columns(place)))
    .execute()
}

export interface ReleasedComment {
  readonly told: string | null
  /** Undefined: it was not written now. */
  readonly toldAt?: Date
}

/** Ends what `reserveComment` began, unless its time was over and another process has it. */
export async function releaseComment(
  db: Queryable,
  place: PullRequestPlace,
  heldUntil: Date,
  { told, toldAt }: ReleasedComment,
): Promise<void> {
  const written = toldAt === undefined ? {} : { told_at: toldAt, given_up_reason: null, given_up_at: null }
  await db
    .updateTable('sticky_comments')
    .set({ told, held_until: null, ...written })
    .where((is) => is.and(columns(place)))
    .where('held_until', '=', heldUntil)
    .execute()
}

export async function giveUpComment(db: Queryable, place: PullRequestPlace, reason: string, at: Date): Promise<void> {
  await db
    .updateTable('sticky_comments')
    .set({ given_up_reason: reason, given_up_at: at })
    .where((is) => is.and(columns(place)))
    .execute()
}

/** The runs that events start for a pull request, and the rules that started nothing: for the transaction of the event. */
export function recordingComments(
  commented: readonly {
    readonly place: PullRequestPlace
    readonly marker: string
    readonly runIds: readonly string[]
    readonly notes: readonly Note[]
  }[],
): Statement {
  const rows = commented.map(({ place, marker, runIds, notes }) => ({
    ...columns(place),
    marker,
    run_ids: runIds,
    notes,
  }))
  return { text: RECORD, values: [JSON.stringify(rows)] }
}

const RECORD = `
  with given as materialized (
    select * from json_to_recordset($1::json)
      as given(source_id uuid, repository text, number integer, marker uuid, run_ids json, notes jsonb)
    -- In one order, so that no two wait for each other.
    order by source_id, repository, number
  ), shown as (
    insert into commented_runs (run_id, source_id, repository, number)
    select run_id::uuid, source_id, repository, number from given, json_array_elements_text(run_ids) as run_id
    on conflict do nothing
  )
  insert into sticky_comments (source_id, repository, number, marker, notes)
  select distinct on (source_id, repository, number) source_id, repository, number, marker, notes from given
  on conflict (source_id, repository, number) do update set notes = excluded.notes`

/** A repetition of a run that a comment shows is shown there, too. Answers the place; undefined: neither is shown. */
export async function showRun(
  db: Queryable,
  { runId, originId }: { readonly runId: string; readonly originId: string },
): Promise<PullRequestPlace | undefined> {
  const { rows } = await sql<PullRequestPlace>`
    with origin as (
      select source_id, repository, number from commented_runs where run_id = ${originId}
    ), added as (
      insert into commented_runs (run_id, source_id, repository, number)
      select ${runId}, source_id, repository, number from origin on conflict do nothing
    )
    select source_id as "sourceId", repository, number from origin`.execute(db)
  return rows[0]
}

/** Whether any comment shows runs. */
export async function anyCommented(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from commented_runs) as any`.execute(db)
  return rows[0]?.any ?? false
}

/** Newest first. */
export async function listCommented(db: Queryable, place: PullRequestPlace, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('commented_runs')
    .select('run_id')
    .where((is) => is.and(columns(place)))
    .orderBy('run_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.run_id)
}

export interface SaidInComment {
  readonly notes: unknown
  readonly answers: unknown
}

export async function readSaid(db: Queryable, place: PullRequestPlace): Promise<SaidInComment> {
  const row = await db
    .selectFrom('sticky_comments')
    .select(['notes', 'answers'])
    .where((is) => is.and(columns(place)))
    .executeTakeFirst()
  return row ?? { notes: [], answers: [] }
}

/** The newest answers are kept, and one for each comment. */
export async function addAnswer(
  db: Queryable,
  place: PullRequestPlace,
  answer: Answer,
  { marker, most }: { readonly marker: string; readonly most: number },
): Promise<void> {
  const { source_id, repository, number } = columns(place)
  await sql`
    insert into sticky_comments (source_id, repository, number, marker, answers)
    values (${source_id}, ${repository}, ${number}, ${marker}, jsonb_build_array(${JSON.stringify(answer)}::jsonb))
    on conflict (source_id, repository, number) do update set answers = (
      select jsonb_agg(kept.answer order by kept.place) from (
        select answer, place
        from jsonb_array_elements(sticky_comments.answers || excluded.answers) with ordinality as said(answer, place)
        where place > jsonb_array_length(sticky_comments.answers)
          or answer ->> 'commentId' <> ${answer.commentId}
        order by place desc limit ${most}
      ) as kept
    )`.execute(db)
}

export type CommentReport = RowOf<'sticky_comments', 'told_at' | 'given_up_reason' | 'given_up_at'>

/** How the comment that shows the run stands. */
export async function findCommentOf(db: Queryable, runId: string): Promise<CommentReport | undefined> {
  const row = await db
    .selectFrom('commented_runs as run')
    .innerJoin('sticky_comments as comment', (join) =>
      join
        .onRef('comment.source_id', '=', 'run.source_id')
        .onRef('comment.repository', '=', 'run.repository')
        .onRef('comment.number', '=', 'run.number'),
    )
    .select(['comment.told_at', 'comment.given_up_reason', 'comment.given_up_at'])
    .where('run.run_id', '=', runId)
    .executeTakeFirst()
  return row && toCamel(row)
}

/** Runs that were queued before the instant are shown no more, at most `limit`. Answers how many went. */
export async function dropCommented(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from commented_runs where ctid = any (array(
      select ctid from commented_runs where run_id < ${lowestIdOf(before.getTime())}
      order by run_id limit ${limit}))`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Comments that were last written before the instant and show no runs any more, at most `limit`. */
export async function dropComments(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from sticky_comments where ctid = any (array(
      select ctid from sticky_comments as comment where told_at < ${before} and not exists (
        select from commented_runs as run where run.source_id = comment.source_id
          and run.repository = comment.repository and run.number = comment.number)
      order by told_at limit ${limit}))`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** All of a source that is gone. */
export async function dropCommentsOf(db: Queryable, sourceId: string): Promise<void> {
  await db.deleteFrom('commented_runs').where('source_id', '=', sourceId).execute()
  await db.deleteFrom('sticky_comments').where('source_id', '=', sourceId).execute()
}

function columns({ sourceId, repository, number }: PullRequestPlace) {
  return { source_id: sourceId, repository: repository.toLowerCase(), number }
}
