import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { LogEntry, LogQuery } from '@signalbox/contracts/logs'
import { logRoutes } from '@signalbox/contracts/logs/routes'
import { type Command, Option } from 'commander'
import type { Client } from '../client/client.ts'
import { CommandFailed } from '../errors.ts'
import { exitCodeOfRun } from '../exit-codes.ts'
import { refuseOtherThanFile } from '../output/new-file.ts'
import { type Paint, usesColour } from '../output/style.ts'
import { lineFilter } from '../runs/line-filter.ts'
import { renderEntry, renderLines } from '../runs/render-entry.ts'
import { type LogPart, patiently, readStoredLog, type StoredLog, storedLog } from '../runs/stored-log.ts'
import { watchRun } from '../runs/watch.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { readBeside, readLimit, readLineNumber } from './parse-arguments.ts'

/** With lines beside each the control plane answers no more at once. */
const MOST_HITS = 100
const STREAMS = ['stdout', 'stderr', 'system'] as const satisfies readonly LogQuery['stream'][]

interface LogOptions extends ApiOptions {
  readonly follow?: boolean
  readonly step?: string
  readonly task?: string
  readonly attempt?: number
  readonly search?: string
  readonly regex?: string
  readonly stream?: (typeof STREAMS)[number]
  readonly tail?: number
  readonly around?: number
  readonly context?: number
  readonly download?: string
  readonly failOnWarning?: boolean
}

export function logsCommand(context: Context): Command {
  return apiCommand('logs', 'show the log lines of a run; with -f follow it to its end, and exit with its result')
    .argument('<run>', 'id of the run')
    .option('-f, --follow', 'follow the log until the run ends')
    .option('--tail <n>', 'only the last lines', readLimit)
    .option('--step <name>', 'only of this step')
    .option('--task <name>', 'only of this task')
    .option('--attempt <n>', 'only of this attempt', readLimit)
    .option('--search <text>', 'only lines that contain this text; ignores case')
    .option('--regex <expression>', 'only lines that match this expression (RE2)')
    .option('--around <line>', 'only the lines around this one; with --step and --task', readLineNumber)
    .option('--context <n>', 'so many lines beside the line of --around, or beside each hit', readBeside)
    .addOption(new Option('--stream <name>', 'only of this stream').choices(STREAMS))
    .option('--download <file>', 'write the log to a file')
    .option('--fail-on-warning', 'with -f: exit 13 when the run ends in warning')
    .action(async (id: string, options: LogOptions) => {
      refuseMixtures(options)
      const client = context.connect(options)
      if (options.follow) {
        const run = await watchRun(context, client, id, {
          show: 'lines',
          json: options.json,
          wanted: lineFilter(options),
        })
        return context.finish(exitCodeOfRun(run.status, options.failOnWarning))
      }
      if (options.download !== undefined)
        return downloadLog(context, client, storedLog(id, options, options.json ? 'ndjson' : 'text'), options.download)
      if ((options.tail ?? options.around ?? options.context) !== undefined) {
        const entries = await readSome(client, id, options)
        printEntries(context, options, entries)
        if (options.context === undefined) return undefined
        const hits = entries.filter((entry) => entry.context !== true).length
        return hits === MOST_HITS ? context.printNote(`Only ${MOST_HITS} hits are shown.`) : undefined
      }
      const entries: LogEntry[] = []
      const print = partPrinter(context)
      await readStoredLog(client, storedLog(id, options, options.json ? 'ndjson' : 'blocks'), (part) => {
        if (!options.json) print(part)
        else if (part.kind === 'entry') entries.push(part.entry)
      })
      if (options.json) context.printJson(entries)
    })
}

function printEntries(context: Context, { json }: LogOptions, entries: readonly LogEntry[]): void {
  if (json) return context.printJson(entries)
  const { env, out } = context.surroundings
  const colours = usesColour(env, out.isTerminal)
  out.write(entries.map((entry) => renderEntryLine(entry, context.paint, colours)).join(''))
}

function renderEntryLine(entry: LogEntry, paint: Paint, colours: boolean): string {
  const line = renderEntry(entry, paint, colours)
  return line === undefined ? '' : `${line}\n`
}

/** Prints a part of a log at once. */
function partPrinter({ surroundings: { env, out }, paint }: Context): (part: LogPart) => void {
  const colours = usesColour(env, out.isTerminal)
  return (part) => {
    const text = part.kind === 'lines' ? renderLines(part, paint, colours) : renderEntryLine(part.entry, paint, colours)
    if (text.length > 0) out.write(text)
  }
}

interface ScrubOptions extends ApiOptions {
  readonly secret?: string
  readonly valuesStdin?: boolean
}

export function scrubCommand(context: Context): Command {
  return apiCommand('scrub', 'remove values from the stored logs of a run, for good')
    .argument('<run>', 'id of the run')
    .option('--secret <path>', 'remove the values of a stored secret, <team path>/<name>')
    .option('--values-stdin', 'read values from the standard input, one per line; others could see an argument')
    .action(async (id: string, options: ScrubOptions) => {
      const given = options.valuesStdin ? await context.surroundings.readStdin() : ''
      const values = linesOf(given).length > 0 ? linesOf(given) : undefined
      if (values === undefined && options.secret === undefined) {
        throw new CommandFailed(
          'usage',
          'Nothing to scrub was given.',
          'Give --secret, or pipe values to --values-stdin.',
        )
      }
      const body = { values, secret: options.secret }
      const answer = await context.connect(options).call(logRoutes.scrubLogs, { params: { id }, body })
      if (options.json) return context.printJson(answer)
      return context.printNote('Nobody reads them in the logs of this run any more; what is stored is being rewritten.')
    })
}

function refuseMixtures(options: LogOptions): void {
  if (options.search !== undefined && options.regex !== undefined) {
    throw new CommandFailed('usage', 'Give --search or --regex, not both.')
  }
  const { tail, around, context, regex, stream, download } = options
  if (download !== undefined && (around ?? context) !== undefined) {
    throw new CommandFailed('usage', 'A download takes no --around and no --context.')
  }
  if (options.follow && (tail ?? around ?? context ?? regex ?? stream ?? download) !== undefined) {
    throw new CommandFailed('usage', 'With -f, give only --step, --task, --attempt and --search.')
  }
}

function readSome(client: Client, id: string, options: LogOptions): Promise<readonly LogEntry[]> {
  const { step, task, attempt, search, regex, stream, tail, around, context } = options
  const query = { step, task, attempt, search, regex, stream, tail, around, context }
  return client.call(logRoutes.listLogLines, { params: { id }, query })
}

/** The file appears under its name once it is complete; a download that broke off is begun anew. */
async function downloadLog(context: Context, client: Client, log: StoredLog, file: string): Promise<void> {
  refuseOtherThanFile(file)
  await patiently(async () => {
    const { body } = await client.bytes(logRoutes.downloadLogs, log)
    await pipeline(body ? Readable.from(body) : Readable.from([]), createWriteStream(`${file}.part`))
  })
  await rename(`${file}.part`, file)
  context.printNote(`The log is in ${file}.`)
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '')
}
