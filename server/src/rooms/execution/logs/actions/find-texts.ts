import type { AttemptRow } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { readHidden } from './hide-values.ts'
import { readLines } from './read-lines.ts'
import { readWanted } from './read-wanted.ts'

export interface FoundTexts {
  readonly texts: readonly string[]
  /** Whether there are more than were asked for, or may be: a long log is not looked through for ever. */
  readonly more: boolean
}

/** Each looks through a log for 1.5 s at most. */
const MOST_PAGES = 20

/** Of the last attempt of each task, in the order in which they were made. */
export async function findTexts(
  means: Means,
  runId: string,
  { expression, limit }: { readonly expression: string; readonly limit: number },
): Promise<FoundTexts> {
  const db = means.database.kysely
  const { hide, patterns } = await readHidden(means, db, runId)
  const wanted = readWanted({ regex: expression }, patterns !== undefined)
  const attempts = lastOfEach(await means.runs.listAttempts(db, runId))
  const texts: string[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const query = { limit: limit + 1 - texts.length, ...(cursor === undefined ? {} : { cursor }) }
    const page = await readLines(means, attempts, query, { wanted, hide })
    texts.push(...page.lines.map(({ text }) => text))
    if (texts.length > limit) return { texts: texts.slice(0, limit), more: true }
    if (page.next === undefined) return { texts, more: false }
    cursor = page.next
  }
  return { texts, more: true }
}

function lastOfEach(attempts: readonly AttemptRow[]): readonly AttemptRow[] {
  const last = new Map(attempts.map((attempt) => [`${attempt.step}/${attempt.task}`, attempt]))
  return attempts.filter((attempt) => last.get(`${attempt.step}/${attempt.task}`) === attempt)
}
