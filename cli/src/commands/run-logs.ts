import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { logEntry } from '../client/answers.ts'
import { type Client, segment } from '../client/client.ts'
import { Unreachable } from '../client/problem.ts'
import { anything, list } from '../client/shape.ts'
import { CommandFailed } from '../errors.ts'
import { exitCodeOfRun } from '../exit-codes.ts'
import { refuseOtherThanFile } from '../output/new-file.ts'
import { usesColour } from '../output/style.ts'
import { lineFilter } from '../runs/line-filter.ts'
import { renderEntry } from '../runs/render-entry.ts'
import { watchRun } from '../runs/watch.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, printJson, printNote } from './context.ts'
import { readLimit } from './parse-arguments.ts'

interface LogOptions extends ApiOptions {
  readonly follow?: boolean
  readonly step?: string
  readonly task?: string
  readonly attempt?: string
  readonly search?: string
  readonly regex?: string
  readonly stream?: string
  readonly tail?: number
  readonly download?: string
  readonly failOnWarning?: boolean
}

const DOWNLOAD_TRIES = 5
const FIRST_PAUSE_MS = 250

export function logsCommand(context: Context): Command {
  return apiCommand('logs', 'the lines that its tasks wrote; with -f until its end, exiting with its result')
    .argument('<run>', 'id of the run')
    .option('-f, --follow', 'go on until the run is over')
    .option('--tail <n>', 'only the last lines', readLimit)
    .option('--step <name>', 'only of this step')
    .option('--task <name>', 'only of this task')
    .option('--attempt <n>', 'only of this attempt')
    .option('--search <text>', 'only lines that hold this text, in any case')
    .option('--regex <expression>', 'only lines in which this expression matches (RE2)')
    .option('--stream <name>', 'only of stdout, stderr or system')
    .option('--download <file>', 'write all of it to a file')
    .option('--fail-on-warning', 'with -f: exit 13 when the run ends in warning')
    .action(async (id: string, options: LogOptions) => {
      refuseMixtures(options)
      const client = clientOf(context, options)
      if (options.follow) {
        const run = await watchRun(context, client, id, 'lines', options.json === true, lineFilter(options))
        return context.finish(exitCodeOfRun(run.status, options.failOnWarning))
      }
      if (options.download !== undefined) return downloadLog(context, client, id, options.download, options)
      const { tail, search, regex, stream } = options
      const isChosen = [tail, search, regex, stream].some((choice) => choice !== undefined)
      if (isChosen) return printEntries(context, options, await readLog(client, id, options))
      if (options.json) {
        const all: unknown[] = []
        for await (const entries of readWholeLog(client, id, options)) all.push(...entries)
        return printJson(context, all)
      }
      for await (const entries of readWholeLog(client, id, options)) printEntries(context, options, entries)
    })
}

function printEntries(context: Context, { json }: LogOptions, entries: readonly unknown[]): void {
  if (json) return printJson(context, entries)
  const { env, out } = context.surroundings
  const colours = usesColour(env, out.isTerminal)
  const lines = entries.map((entry) => renderEntry(logEntry(entry, 'line'), context.paint, colours))
  out.write(lines.map((line) => (line === undefined ? '' : `${line}\n`)).join(''))
}

/** All of it in one answer, many entries at a time. An answer that breaks off goes on behind the entries that came. */
async function* readWholeLog(client: Client, id: string, options: LogOptions): AsyncGenerator<readonly unknown[]> {
  let received = 0
  for (let tries = 1; ; tries += 1) {
    try {
      const { body } = await client.bytes(downloadPath(id, { ...options, json: true }), 0)
      let known = received
      for await (const lines of body ? wholeLinesOf(body) : []) {
        const fresh = lines.slice(known)
        known = Math.max(known - lines.length, 0)
        if (fresh.length === 0) continue
        yield fresh.map((line) => JSON.parse(line))
        received += fresh.length
      }
      return
    } catch (error) {
      if (!mayGoOn(error) || tries === DOWNLOAD_TRIES) throw error
      await wait(FIRST_PAUSE_MS * 2 ** (tries - 1))
    }
  }
}

async function* wholeLinesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<readonly string[]> {
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    yield lines
  }
}

function downloadPath(id: string, { step, task, attempt, json }: LogOptions): string {
  const query = new URLSearchParams(json ? { format: 'ndjson' } : {})
  for (const [name, value] of Object.entries({ step, task, attempt })) if (value !== undefined) query.set(name, value)
  return `/v1/runs/${segment(id)}/logs/download?${query}`
}

/** A connection that breaks off while it is read is a TypeError of fetch. */
function mayGoOn(error: unknown): boolean {
  return error instanceof Unreachable || error instanceof TypeError
}

interface ScrubOptions extends ApiOptions {
  readonly secret?: string
  readonly valuesStdin?: boolean
}

export function scrubCommand(context: Context): Command {
  return apiCommand('scrub', 'hide values in the stored logs of a run, for good')
    .argument('<run>', 'id of the run')
    .option('--secret <path>', 'the values of a stored secret, <team path>/<name>')
    .option('--values-stdin', 'values from the standard input, one a line: an argument could be seen by others')
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
      const body = {
        ...(values ? { values } : {}),
        ...(options.secret === undefined ? {} : { secret: options.secret }),
      }
      const answer = await clientOf(context, options).post(`/v1/runs/${segment(id)}/logs/scrub`, anything, { body })
      if (options.json) return printJson(context, answer)
      return printNote(
        context,
        'Nobody reads them in the logs of this run any more; what is stored is being rewritten.',
      )
    })
}

function refuseMixtures(options: LogOptions): void {
  if (options.search !== undefined && options.regex !== undefined) {
    throw new CommandFailed('usage', 'Give --search or --regex, not both.')
  }
  if (options.follow && (options.tail ?? options.regex ?? options.stream ?? options.download) !== undefined) {
    throw new CommandFailed('usage', '--tail, --regex, --stream and --download are for what is stored: leave out -f.')
  }
}

async function readLog(client: Client, id: string, options: LogOptions): Promise<unknown[]> {
  const { step, task, attempt, search, regex, stream, tail } = options
  const path = `/v1/runs/${segment(id)}/logs`
  const query = { step, task, attempt, search, regex, stream }
  if (tail !== undefined) return client.get(path, list(anything), { query: { ...query, tail } })
  return client.list(path, anything, Number.MAX_SAFE_INTEGER, { query })
}

/** The file is there when all of it is: one that broke off is begun anew. */
async function downloadLog(
  context: Context,
  client: Client,
  id: string,
  file: string,
  options: LogOptions,
): Promise<void> {
  refuseOtherThanFile(file)
  for (let tries = 1; ; tries += 1) {
    try {
      const { body } = await client.bytes(downloadPath(id, options), 0)
      await pipeline(body ? Readable.from(body) : Readable.from([]), createWriteStream(`${file}.part`))
      break
    } catch (error) {
      if (!mayGoOn(error) || tries === DOWNLOAD_TRIES) throw error
      await wait(FIRST_PAUSE_MS * 2 ** (tries - 1))
    }
  }
  await rename(`${file}.part`, file)
  printNote(context, `The log is in ${file}.`)
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '')
}
