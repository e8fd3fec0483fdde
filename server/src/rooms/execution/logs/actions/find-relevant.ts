import type { FailureCause, RelevantLines } from '@signalbox/contracts/logs'
import type { AttemptRow, SucceededAttempt } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { looksLikeError } from '../rules/error-lines.ts'
import { wasEnded } from '../rules/failure-cause.ts'
import { hashLine, normaliseLine, plainLine } from '../rules/normalise-line.ts'
import { chooseLines, type JudgedLine } from '../rules/relevant-lines.ts'
import { type KnownHidden, readHidden } from './hide-values.ts'
import { type NumberedText, readTexts } from './read-texts.ts'
import type { Turns } from './take-turns.ts'

/** A task that fails says why near its end; more than this is the output of its work. */
const FAILED_BYTES = 2 * 1024 * 1024
/** The end of a success covers what every run says at last, its beginning what a task says that fails early. */
const SUCCESS_END_BYTES = 1024 * 1024
const SUCCESS_START_BYTES = 1024 * 1024
const LINES_PER_TURN = 64
const MOST_CHARACTERS = 500

export interface RelevantWish {
  readonly attempt: AttemptRow
  readonly cause: FailureCause
  /** Of the same task. */
  readonly successes: readonly SucceededAttempt[]
  readonly known: KnownHidden
  readonly turns: Turns
}

/**
 * The lines of a failed attempt that no recent success had, else those that look like errors, else the last ones. Reads
 * at most 2 MiB of each of four logs, however long they are.
 */
export async function findRelevant(means: Means, wish: RelevantWish): Promise<RelevantLines> {
  const { attempt, successes } = wish
  const own = await readEnd(means, wish, attempt)
  const usual = own.lines.length > 0 ? await readUsual(means, wish) : { hashes: new Set<number>(), isCut: false }
  const hasSuccess = usual.hashes.size > 0
  const judged = await judge(own.lines, usual.hashes, wish.turns)
  const { how, lines, left } = chooseLines(judged, { hasSuccess, wasEnded: wasEnded(wish.cause) })
  return {
    how,
    compared_with: hasSuccess
      ? successes.map(({ runId, attemptId }) => ({ run_id: runId, attempt_id: attemptId }))
      : [],
    searched_from: own.lines[0]?.number ?? 0,
    searched_until: (own.lines.at(-1)?.number ?? -1) + 1,
    cut: own.isCut || usual.isCut,
    left,
    lines: lines.map(({ number, text, isNew, isError }) => ({
      number,
      text: cutText(text),
      new: isNew,
      error: isError,
    })),
  }
}

/** In their order. */
async function readEnd(
  means: Means,
  { known }: RelevantWish,
  { id, runId }: AttemptRow,
): Promise<{ readonly lines: readonly NumberedText[]; readonly isCut: boolean }> {
  const db = means.database.kysely
  const { hide } = await readHidden(means, db, runId, known)
  const lines: NumberedText[] = []
  for await (const some of readTexts(db, { attemptId: id, backward: true, bytes: FAILED_BYTES }, hide)) {
    for (const line of some) lines.push(line)
  }
  lines.reverse()
  return { lines, isCut: (lines[0]?.number ?? 0) > 0 }
}

interface Usual {
  readonly hashes: ReadonlySet<number>
  readonly isCut: boolean
}

/** What succeeded attempts said, as hashes of normalised lines. */
async function readUsual(means: Means, { successes, known, turns }: RelevantWish): Promise<Usual> {
  const db = means.database.kysely
  const hashes = new Set<number>()
  let isCut = false
  for (const { attemptId, runId } of successes) {
    const { hide } = await readHidden(means, db, runId, known)
    const add = async (backward: boolean, bytes: number): Promise<boolean> => {
      let reached = Number.POSITIVE_INFINITY
      for await (const lines of readTexts(db, { attemptId, backward, bytes }, hide)) {
        for (const [at, { number, text }] of lines.entries()) {
          if (at % LINES_PER_TURN === 0 && !(await turns.goOn())) return false
          hashes.add(hashLine(normaliseLine(text)))
          reached = number
        }
      }
      return !backward || reached === 0 || reached === Number.POSITIVE_INFINITY
    }
    if (await add(true, SUCCESS_END_BYTES)) continue
    isCut = true
    if (!(await turns.goOn())) return { hashes, isCut }
    await add(false, SUCCESS_START_BYTES)
  }
  return { hashes, isCut }
}

async function judge(
  lines: readonly NumberedText[],
  usual: ReadonlySet<number>,
  turns: Turns,
): Promise<readonly JudgedLine[]> {
  const seen = new Set<number>()
  const judged: JudgedLine[] = []
  for (const [at, { number, text }] of lines.entries()) {
    // Its own lines are few enough to be judged whatever the time is.
    if (at % LINES_PER_TURN === 0) await turns.goOn()
    const normalised = normaliseLine(text)
    const hash = hashLine(normalised)
    const plain = plainLine(text)
    const isNew = normalised !== '' && usual.size > 0 && !usual.has(hash) && !seen.has(hash)
    seen.add(hash)
    judged.push({ number, text: plain, isNew, isError: normalised !== '' && looksLikeError(plain) })
  }
  return judged
}

/** Never between the halves of a character. */
function cutText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  const last = text.charCodeAt(MOST_CHARACTERS - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? MOST_CHARACTERS - 1 : MOST_CHARACTERS)
}
