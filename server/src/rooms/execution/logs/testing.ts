import { zstdCompressSync } from 'node:zlib'
import { create, toBinary } from '@bufbuild/protobuf'
import { LogLinesSchema } from '@signalbox/contracts/runner'
import { sql } from 'kysely'
import type { Kit } from '#platform/room'
import type { AttemptRow } from '#rooms/execution/runs'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { aRun } from '../runs/testing.ts'
import { type ArrivedChunk, appendLines } from './actions/append-lines.ts'
import { readBlocks } from './actions/read-blocks.ts'
import { type Line, linesOf } from './actions/read-lines.ts'

let made = 0

/** An attempt whose log a test writes: a run of one task, stored as the runs room does. */
export async function anAttempt(kit: Kit, change: Partial<AttemptRow> = {}): Promise<AttemptRow> {
  const db = kit.database.kysely
  made += 1
  await aTeam(db, 'acme/web')
  const runId = change.runId ?? (await aRun(db, await aPipeline(db, `acme/web/p${made}`)))
  const attempt: AttemptRow = {
    id: kit.ids.next(),
    runId,
    step: 's',
    task: `t${made}`,
    number: 1,
    status: 'leased',
    fence: null,
    runnerId: null,
    reason: null,
    exitCode: null,
    cancelRequestedAt: null,
    cancelReason: null,
    createdAt: kit.clock.now(),
    leasedAt: null,
    startedAt: null,
    finishedAt: null,
    childRunId: null,
    images: null,
    endReported: false,
    ...change,
  }
  const { id, step, task, number, createdAt } = attempt
  await sql`insert into run_steps (run_id, step, position, status, blocks)
    values (${runId}, ${step}, 0, 'running', false) on conflict do nothing`.execute(db)
  await sql`insert into run_tasks (run_id, step, task, position, status, blocks, attempt, outputs)
    values (${runId}, ${step}, ${task}, 0, 'running', false, 1, '{}') on conflict do nothing`.execute(db)
  await sql`insert into attempts (id, run_id, step, task, number, status, scope, requirement, created_at)
    values (${id}, ${runId}, ${step}, ${task}, ${number}, 'waiting', 'acme/web/x', '{}', ${createdAt})`.execute(db)
  return attempt
}

/** A chunk as a runner sends it; a line is a text, or one with its stream. */
export function chunkOf(
  { runId, id: attemptId }: Pick<AttemptRow, 'runId' | 'id'>,
  firstLine: number,
  texts: readonly (string | { readonly text: string; readonly stream: string; readonly continued?: boolean })[],
): ArrivedChunk {
  const lines = texts.map((line, index) => ({
    atMs: BigInt(1_763_780_000_000 + firstLine + index),
    stream: 'stdout',
    ...(typeof line === 'string' ? { text: line } : line),
  }))
  const linesZstd = zstdCompressSync(toBinary(LogLinesSchema, create(LogLinesSchema, { lines })))
  return { runId, attemptId, firstLine, lineCount: lines.length, linesZstd }
}

/** Lines of an attempt of its own, as its runner sent them. */
export async function writeLines(kit: Kit, runId: string, texts: readonly string[]): Promise<void> {
  const attempt = await anAttempt(kit, { runId })
  await appendLines(kit.database.kysely, [chunkOf(attempt, 0, texts)], NO_LIMITS)
}

/** The lines of an attempt as they are stored, marks of missing ones included. */
export async function storedLines(kit: Kit, attempt: AttemptRow, from = 0): Promise<Line[]> {
  const lines: Line[] = []
  const range = { attemptId: attempt.id, from }
  for await (const block of readBlocks(kit.database.kysely, range, (same) => same)) {
    lines.push(...linesOf(attempt, block))
  }
  return lines
}

/** `line <first>` to `line <first + count - 1>`. */
export function numbered(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `line ${first + index}`)
}

export const NO_LIMITS = { lines: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER }
