import type { CommandOutcome, CommandState, CommandVerb } from '@signalbox/contracts/commands'
import type { Event } from '@signalbox/contracts/event'
import { type RawBuilder, sql } from 'kysely'
import { findOne, type Queryable, type RowOf, type Tx, toCamel } from '#platform/database'
import type { Window } from '#platform/http'

/** A comment that may hold a command, when it is heard. */
export interface HeardComment {
  readonly id: string
  readonly sourceId: string
  readonly repositoryKey: string
  readonly repository: string
  readonly pullRequest: number
  readonly commentId: string
  readonly deliveryRecordId: string
  readonly eventId: string
  readonly event: Event
  readonly bodySha256: string
  readonly authorId: string | null
  readonly authorLogin: string | null
  readonly receivedAt: Date
}

export type StoredCommand = RowOf<'comment_commands'>

/** Answers whether the comment was not heard before. */
export async function insertHeard(tx: Tx, heard: HeardComment): Promise<boolean> {
  const result = await tx
    .insertInto('comment_commands')
    .values({
      id: heard.id,
      source_id: heard.sourceId,
      repository_key: heard.repositoryKey,
      repository: heard.repository,
      pull_request: heard.pullRequest,
      comment_id: heard.commentId,
      delivery_record_id: heard.deliveryRecordId,
      event_id: heard.eventId,
      event: JSON.stringify(heard.event),
      body_sha256: Buffer.from(heard.bodySha256, 'hex'),
      author_id: heard.authorId,
      author_login: heard.authorLogin,
      state: 'waiting',
      received_at: heard.receivedAt,
    })
    .onConflict((conflict) => conflict.columns(['source_id', 'repository_key', 'comment_id']).doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function isHeard(db: Queryable, heard: HeardComment): Promise<boolean> {
  const row = await db
    .selectFrom('comment_commands')
    .select('id')
    .where('source_id', '=', heard.sourceId)
    .where('repository_key', '=', heard.repositoryKey)
    .where('comment_id', '=', heard.commentId)
    .executeTakeFirst()
  return row !== undefined
}

export function findCommand(db: Queryable, id: string): Promise<StoredCommand | undefined> {
  return findOne(db.selectFrom('comment_commands').selectAll().where('id', '=', id))
}

/** Holds the command until the transaction ends, so that nobody else carries it out; false where somebody has. */
export async function lockWaiting(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from comment_commands where id = ${id} and state = 'waiting' for update`.execute(tx)
  return rows.length > 0
}

export interface Decided {
  readonly state: Exclude<CommandState, 'waiting'>
  readonly outcome: CommandOutcome
  readonly reason: string
  readonly command: string | null
  readonly verb: CommandVerb | null
  readonly subject: { readonly kind: string; readonly id: string; readonly name: string } | null
  readonly runIds: readonly string[]
  /** Of a command that repeats runs, those. */
  readonly repeatedRunIds: readonly string[]
  readonly at: Date
  /** There is nothing to tell anybody. */
  readonly isSilent: boolean
}

/** After `lockWaiting`. Open pages of the runs that it names hear of it when the transaction commits. */
export async function decideCommand(tx: Tx, id: string, decided: Decided): Promise<void> {
  await tx
    .updateTable('comment_commands')
    .set({
      state: decided.state,
      outcome: decided.outcome,
      reason: decided.reason,
      command: decided.command,
      verb: decided.verb,
      subject_kind: decided.subject?.kind ?? null,
      subject_id: decided.subject?.id ?? null,
      subject_name: decided.subject?.name ?? null,
      run_ids: [...decided.runIds],
      repeated_run_ids: [...decided.repeatedRunIds],
      decided_at: decided.at,
      told_at: decided.isSilent ? decided.at : null,
    })
    .where('id', '=', id)
    .execute()
  const named = [...decided.runIds, ...decided.repeatedRunIds]
  if (named.length === 0) return
  await sql`select pg_notify('run_changed', run_id::text) from unnest(${named}::uuid[]) as run_id`.execute(tx)
}

export async function markTold(db: Queryable, id: string, at: Date): Promise<void> {
  await db.updateTable('comment_commands').set({ told_at: at }).where('id', '=', id).execute()
}

/** Those that nobody was answered, received between these times; oldest first. */
export async function listUntold(db: Queryable, since: Date, until: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('comment_commands')
    .select('id')
    .where('told_at', 'is', null)
    .where('received_at', '>=', since)
    .where('received_at', '<', until)
    .orderBy('received_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

const LISTED = [
  'id',
  'source_id',
  'repository',
  'pull_request',
  'comment_id',
  'author_id',
  'author_login',
  'state',
  'command',
  'outcome',
  'reason',
  'subject_name',
  'run_ids',
  'delivery_record_id',
  'received_at',
  'decided_at',
  'told_at',
] as const

export type ListedCommand = RowOf<'comment_commands', (typeof LISTED)[number]>

export interface CommandFilter extends Window {
  readonly sourceId: string
  readonly repository: string | undefined
}

export async function listCommands(db: Queryable, filter: CommandFilter): Promise<ListedCommand[]> {
  const { sourceId, repository, before, limit } = filter
  let query = db
    .selectFrom('comment_commands')
    .select(LISTED)
    .where('source_id', '=', sourceId)
    .orderBy('id', 'desc')
    .limit(limit)
  if (repository !== undefined) query = query.where(sql`lower(repository)`, '=', repository.toLowerCase())
  if (before !== undefined) query = query.where('id', '<', before)
  return (await query.execute()).map(toCamel)
}

/** A command that was carried out, without the other runs that it was about. */
export interface RunCommandRow {
  readonly id: string
  readonly command: string
  readonly outcome: CommandOutcome
  readonly repository: string
  readonly pullRequest: number
  readonly commentId: string
  readonly authorId: string | null
  readonly authorLogin: string | null
  readonly subjectName: string | null
  readonly receivedAt: Date
  readonly decidedAt: Date
}

export async function listCommandsOfRun(db: Queryable, runId: string, window: Window): Promise<RunCommandRow[]> {
  return (await commandsOfRunQuery(runId, window).execute(db)).rows
}

/** Materialized, so that no planner walks all commands in the order of their ids: a run has few. */
export function commandsOfRunQuery(runId: string, { before, limit }: Window): RawBuilder<RunCommandRow> {
  const older = before === undefined ? sql`` : sql`where id < ${before}`
  return sql<RunCommandRow>`
    with given as materialized (
      select id, command, outcome, repository, pull_request as "pullRequest", comment_id as "commentId",
        author_id as "authorId", author_login as "authorLogin", subject_name as "subjectName",
        received_at as "receivedAt", decided_at as "decidedAt"
      from comment_commands
      where (run_ids || repeated_run_ids) @> array[${runId}]::uuid[] and state = 'done' and command is not null
    )
    select * from given ${older} order by id desc limit ${limit}`
}

/** At most `limit` at a time; answers how many went. */
export async function dropCommands(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from comment_commands where id in
      (select id from comment_commands where received_at < ${before} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

export async function dropCommandsOf(db: Queryable, sourceId: string, limit: number): Promise<number> {
  const result = await sql`
    delete from comment_commands where id in
      (select id from comment_commands where source_id = ${sourceId} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
