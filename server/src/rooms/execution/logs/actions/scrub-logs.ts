import { zstdCompressSync } from 'node:zlib'
import type { Queryable } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import type { Problem } from '#platform/problems'
import { logProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { scrubLines } from '../rules/scrub-lines.ts'
import { trigramsOf } from '../rules/trigrams.ts'
import { listRows } from '../store/chunks.ts'
import { lockRows } from '../store/packing.ts'
import { addChangedLines, closeLogs, closeScrubs, insertScrub, lastAppendedAt, rewriteRow } from '../store/scrubs.ts'
import { bytesOf, countHidden, type HiddenValues, readHidden, sealContext } from './hide-values.ts'
import { UnpackedLines, unpackLines } from './unpack-lines.ts'

export const SCRUB_JOB = 'logs.scrub'
/** Lines that come while a run goes on may hold the values, too: it is looked at again until it is over. */
const AGAIN_MS = 30_000
/**
 * A runner that was away sends its lines when the run is over already. So long they are waited for; what comes after the
 * values are forgotten is not kept. Shorter costs lines, longer keeps the sealed values longer.
 */
const SILENCE_MS = 10 * 60_000

/**
 * Two live values of the longest secret. Each byte becomes some twenty in the forms in which a value may appear. More bytes
 * take seconds to compile, and hundreds of megabytes.
 */
const MOST_BYTES = 131_072

export interface ScrubWish {
  readonly values?: readonly string[]
  /** `<team path>/<name>`, or with `secret:` before it. */
  readonly secret?: string
}

/**
 * Readers hide the values in the logs of this run from the answer on, until a job has rewritten what is stored. The values are kept sealed, and only until then. Answers the id of the scrub.
 */
export async function requestScrub(
  means: Means,
  origin: RequestOrigin,
  runId: string,
  wish: ScrubWish,
): Promise<string> {
  const run = await means.runs.findVisible(origin.caller, runId, 'log.scrub')
  const values = [...(wish.values ?? []), ...(await readSecret(means, wish.secret, run.team_path))]
  if (values.length === 0) {
    const message = 'Name values, or a secret that has one.'
    throw logProblem('log.nothing_to_scrub', message, { errors: [{ field: 'values', message }] })
  }
  const bytes = bytesOf(values) + (await countHidden(means, means.database.kysely, run.id))
  if (bytes > MOST_BYTES) {
    const detail = `With these ${bytes} bytes would be hidden at once in the logs of the run, and ${MOST_BYTES} may be. Scrub lines of long values, or wait until earlier ones are rewritten.`
    throw logProblem('log.scrub_too_large', detail)
  }
  const id = means.ids.next()
  const sealedValues = means.sealer.seal(JSON.stringify(values), sealContext(id))
  await means.database.transaction(async (tx) => {
    await insertScrub(tx, { id, runId: run.id, sealedValues, requestedAt: means.clock.now() })
    await means.jobs.add(tx, SCRUB_JOB, { run_id: run.id }, { key: jobKey(run.id) })
    await means.audit.record(tx, {
      origin,
      action: 'log.scrubbed',
      resource: { kind: 'run', id: run.id },
      teamPath: run.team_path,
      // How many, and whose: never which.
      after: { values: wish.values?.length ?? 0, secret: wish.secret ?? null },
    })
  })
  return id
}

async function readSecret(means: Means, secret: string | undefined, teamPath: string): Promise<readonly string[]> {
  if (secret === undefined) return []
  const [, name] = STORED.exec(secret) ?? []
  if (name === undefined) throw unusable('Name a stored secret as <team path>/<name>.')
  const read = await means.secrets.read(means.database.kysely, `secret:${name}`, teamPath)
  if ('unusable' in read) throw unusable(read.unusable)
  return read.values
}

/** A stored secret, also as references name it. */
const STORED = /^(?:secret:)?([^:]+\/[^:/]+)$/

function unusable(message: string): Problem {
  return logProblem('log.secret_unusable', message, { errors: [{ field: 'secret', message }] })
}

/**
 * The job: rewrites every row of the run's logs that holds a value. Once the run is over and its logs are silent, they are
 * closed and the values forgotten.
 */
export async function rewriteLogs(means: Means, runId: string, signal: AbortSignal) {
  const db = means.database.kysely
  const hidden = await readHidden(means, db, runId)
  if (hidden.scrubIds.length === 0) return
  const run = await means.runs.findStanding(db, runId)
  const attemptIds = (await means.runs.listAttempts(db, runId)).map(({ id }) => id)
  const now = means.clock.now().getTime()
  const silentAt = run?.finishedAt ? await silenceAfter(db, run.finishedAt, attemptIds) : undefined
  const isSilent = silentAt !== undefined && silentAt <= now
  // Closed first: what is stored by then is seen by this look at its lines.
  if (isSilent) await closeLogs(db, attemptIds, means.clock.now())
  for (const id of attemptIds) {
    for (let from: number | undefined = 0; from !== undefined; ) {
      if (signal.aborted) break
      from = await rewriteOneRow(means, hidden, id, from)
    }
  }
  if (isSilent && !signal.aborted) {
    await closeScrubs(db, runId, hidden.scrubIds, means.clock.now())
    return
  }
  const runAt = new Date(signal.aborted ? now : Math.max(silentAt ?? 0, now + AGAIN_MS))
  await means.jobs.add(db, SCRUB_JOB, { run_id: runId }, { key: jobKey(runId), runAt })
}

/** The time in ms at which nobody waits any longer for lines of a run that is over. */
async function silenceAfter(db: Queryable, finishedAt: Date, attemptIds: readonly string[]): Promise<number> {
  const appendedAt = await lastAppendedAt(db, attemptIds)
  return Math.max(finishedAt.getTime(), appendedAt?.getTime() ?? 0) + SILENCE_MS
}

/** Answers where the next row begins; undefined behind the last. */
async function rewriteOneRow(
  means: Means,
  hidden: HiddenValues,
  attemptId: string,
  from: number,
): Promise<number | undefined> {
  return means.database.transaction(async (tx) => {
    await lockRows(tx, attemptId)
    const [row] = await listRows(tx, { attemptId, at: from, limit: 2 })
    if (!row) return undefined
    const lines = unpackLines(row)
    const scrubbed = lines?.index && hidden.patterns && scrubLines(lines.bytes, lines.index, hidden.patterns)
    if (scrubbed) {
      const linesZstd = zstdCompressSync(scrubbed.bytes)
      const { index, bytes } = new UnpackedLines(scrubbed.bytes, row.lineCount)
      // Of the old text nothing stays, not even which letters stood beside each other.
      const trigrams = trigramsOf(bytes, index?.texts ?? new Int32Array())
      await rewriteRow(tx, { attemptId, firstLine: row.firstLine, linesZstd, rawBytes: bytes.length, trigrams })
      await addChangedLines(tx, hidden.scrubIds, scrubbed.lines)
      means.failPoints.hit('logs.before_scrub')
    }
    return row.firstLine + row.lineCount
  })
}

function jobKey(runId: string): string {
  return `${SCRUB_JOB}:${runId}`
}
