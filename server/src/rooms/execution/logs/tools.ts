import { type Evidence, STRICT, Uuid } from '@signalbox/contracts/http'
import type { FailureExplanation, FailureRoot, LogEntry } from '@signalbox/contracts/logs'
import { logRoutes } from '@signalbox/contracts/logs/routes'
import { Type } from 'typebox'
import { defineTool, type NextCall, ownText, type Quote, type Told, type Tool } from '#platform/tools'

const USUAL_LINES = 100
const MOST_LINES = 500
const USUAL_HITS = 10

const place = {
  run_id: Uuid,
  step: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  task: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'Default: all.' })),
}

export const logTools: readonly Tool[] = [
  defineTool({
    name: 'explain_failure',
    title: 'Why a run failed',
    family: 'runs',
    does: 'read',
    description:
      'What failed by itself, apart from what never ran because of it, and the lines of its log that no recent success had. Begin with it when a run failed.',
    input: Type.Object({ run_id: Uuid }, STRICT),
    routes: { explainFailure: logRoutes.explainFailure },
    async handle({ input, routes }) {
      const { body } = await routes.explainFailure({ query: input })
      const { roots, left_out: leftOut, ...rest } = body
      return {
        facts: { ...rest, roots: roots.map(shorten) },
        quotes: roots.flatMap(quoteRoot),
        next: [...roots.flatMap(lookCloser).slice(0, 2), ...compare(body)],
        leftOut,
      }
    },
  }),
  defineTool({
    name: 'read_log',
    title: 'Read a log',
    family: 'logs',
    does: 'read',
    description:
      'Lines of the log of a run: the last ones, those from a line on, or those around a line (the last two with step and task). Long lines are cut.',
    input: Type.Object(
      {
        ...place,
        lines: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_LINES, default: USUAL_LINES })),
        from: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12 })),
        around: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12 })),
      },
      STRICT,
    ),
    routes: { listLogLines: logRoutes.listLogLines },
    needs: ['run.read'],
    async handle({ input, routes }) {
      const { run_id: id, lines: count = USUAL_LINES, from, around, ...which } = input
      const range =
        around === undefined
          ? from === undefined
            ? { tail: count }
            : { from, limit: count }
          : { around, context: Math.floor((count - 1) / 2) }
      const { body } = await routes.listLogLines({ params: { id }, query: { ...which, ...range } })
      return { facts: factsOf(body), quotes: quoteLog(body), next: readOn(input, body) }
    },
  }),
  defineTool({
    name: 'search_log',
    title: 'Search a log',
    family: 'logs',
    does: 'read',
    description:
      'Lines of the log of a run in which an expression (RE2) matches, each with lines beside it. `(?i)` before it: in any case. A long log takes several calls.',
    input: Type.Object(
      {
        ...place,
        regex: Type.String({ minLength: 1, maxLength: 500 }),
        context: Type.Optional(Type.Integer({ minimum: 0, maximum: 20, default: 2 })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: USUAL_HITS })),
        direction: Type.Optional(Type.Enum(['forward', 'backward'])),
        cursor: Type.Optional(Type.String({ maxLength: 100 })),
      },
      STRICT,
    ),
    routes: { listLogLines: logRoutes.listLogLines },
    needs: ['run.read'],
    async handle({ input, routes }) {
      const { run_id: id, context = 2, limit = USUAL_HITS, ...which } = input
      const query = { ...which, limit, ...(context === 0 ? {} : { context }) }
      const { body, nextCursor } = await routes.listLogLines({ params: { id }, query })
      const hits = body.filter((entry) => entry.context !== true).length
      const next: NextCall[] =
        nextCursor === undefined
          ? []
          : [
              {
                tool: 'search_log',
                arguments: { ...input, cursor: nextCursor },
                brings: 'what the search finds from here on',
              },
            ]
      return { facts: { hits, searched_to_the_end: nextCursor === undefined }, quotes: quoteLog(body, true), next }
    },
  }),
]

type ToldEntry = Told<LogEntry>
type ToldRoot = Told<FailureRoot>

function placeOf({ step, task }: Pick<ToldEntry, 'step' | 'task'>): string {
  return `${ownText(step)}/${ownText(task)}`
}

function attemptOf(entry: ToldEntry): string {
  return `log of ${placeOf(entry)}, attempt ${entry.attempt}`
}

/** The lines of each attempt together; `marks`: a hit has a mark that the lines beside it lack. */
function quoteLog(entries: readonly ToldEntry[], marks = false): Quote[] {
  return [...Map.groupBy(entries, attemptOf)].map(([source, own]) => ({
    source,
    lines: own.map(({ number, line, gap, context }) => {
      const mark = marks && context !== true ? '>' : ''
      return { label: `${mark}${number}${gap ? ' (lines are missing)' : ''}`, text: line }
    }),
  }))
}

function factsOf(entries: readonly ToldEntry[]): unknown {
  return {
    logs: [...Map.groupBy(entries, attemptOf).values()].map((own) => ({
      step: own[0]?.step,
      task: own[0]?.task,
      attempt: own[0]?.attempt,
      from: own[0]?.number,
      until: own.at(-1)?.number,
    })),
  }
}

interface ReadInput {
  readonly run_id: string
  readonly step?: string
  readonly task?: string
  readonly lines?: number
  readonly from?: number
  readonly around?: number
}

/** Earlier lines of the one log that a tail is of, or later ones of a range. */
function readOn(input: ReadInput, entries: readonly ToldEntry[]): NextCall[] {
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last || attemptOf(first) !== attemptOf(last)) return []
  const { lines = USUAL_LINES, around: _around, from, ...rest } = input
  const which = { ...rest, step: ownText(first.step), task: ownText(first.task), attempt: first.attempt, lines }
  if (from !== undefined && entries.length === lines) {
    return [{ tool: 'read_log', arguments: { ...which, from: last.number + 1 }, brings: 'the lines after these' }]
  }
  if (from !== undefined || first.number === 0) return []
  const earlier = { ...which, from: Math.max(0, first.number - lines) }
  return [{ tool: 'read_log', arguments: earlier, brings: 'the lines before these' }]
}

/** Without the lines, which are quoted, and with the ids of all sentences once. */
function shorten({ findings, what_to_do: whatToDo, lines, ...root }: ToldRoot): unknown {
  const { lines: _quoted, ...searched } = lines ?? { lines: [] }
  const evidence = new Map(findings.flatMap(({ evidence: all }) => all.map((each) => [keyOf(each), each])))
  return {
    ...root,
    findings: findings.map(({ code, sentence }) => ({ code, sentence })),
    what_to_do: whatToDo.map(({ sentence }) => sentence),
    evidence: [...evidence.values()],
    lines: lines && searched,
  }
}

function keyOf({ kind, id, line }: Told<Evidence>): string {
  return `${kind} ${ownText(id)} ${line}`
}

function quoteRoot({ step, task, attempt, lines }: ToldRoot): Quote[] {
  if (!lines || task === null || lines.lines.length === 0) return []
  return [
    {
      source: `log of ${placeOf({ step, task })}, attempt ${attempt}; > marks new lines and errors`,
      lines: lines.lines.map(({ number, text, new: isNew, error }) => ({
        label: `${isNew || error ? '>' : ''}${number}`,
        text,
      })),
    },
  ]
}

/** The lines around the first one that tells something. */
function lookCloser({ run_id: runId, step, task, attempt, lines }: ToldRoot): NextCall[] {
  const told = lines?.lines.find((line) => line.error) ?? lines?.lines.find((line) => line.new)
  if (!told || task === null || attempt === null) return []
  const which = { run_id: ownText(runId), step: ownText(step), task: ownText(task), attempt, around: told.number }
  return [{ tool: 'read_log', arguments: which, brings: 'the lines around the first error' }]
}

function compare({ run_id: runId, roots }: Told<FailureExplanation>): NextCall[] {
  if (roots.length === 0) return []
  const call = { tool: 'compare_with_success', arguments: { run_id: ownText(runId) } }
  return [{ ...call, brings: 'what is different since the last success' }]
}
