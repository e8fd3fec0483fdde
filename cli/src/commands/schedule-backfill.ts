import { setTimeout as wait } from 'node:timers/promises'
import type { Backfill } from '@signalbox/contracts/schedules'
import { backfillRoutes } from '@signalbox/contracts/schedules/routes'
import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { CommandFailed } from '../errors.ts'
import { exitCode } from '../exit-codes.ts'
import { ago } from '../output/durations.ts'
import { createProgress } from '../output/progress.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { type ListOptions, type ListPrint, printList, withLimit } from './listing.ts'
import { readConcurrency, readPast } from './parse-arguments.ts'
import { namingFlags } from './schedule-refusal.ts'
import { SCHEDULE } from './schedule-show.ts'
import { formatUtc } from './schedule-times.ts'

const LOOK_EVERY_MS = 1000
const FLAGS = { flagOf: (field: string) => (['from', 'to', 'concurrency'].includes(field) ? `--${field}` : field) }
const BACKFILL_ID = 'id of the backfill, as `schedule backfill list` shows it'

/** `schedule backfill <schedule>` starts one; the other words show and end it. */
export function backfillCommand(context: Context): Command {
  const description = 'runs of past instants; `schedule backfill <schedule>` is `schedule backfill start <schedule>`'
  const others = [listOf(context), showCommand(context), cancelCommand(context)]
  return group('backfill', description, others).addCommand(startCommand(context), { isDefault: true })
}

interface StartOptions extends ApiOptions {
  readonly from: string
  readonly to: string
  readonly all?: boolean
  readonly concurrency?: number
  readonly follow?: boolean
}

function startCommand(context: Context): Command {
  return apiCommand('start', 'start the runs of a past range of instants, on your behalf')
    .argument('<schedule>', SCHEDULE.named)
    .requiredOption('--from <time>', 'the first instant, such as 2027-01-01T00:00:00Z, or 7d ago as 7d', readPast)
    .requiredOption('--to <time>', 'the last instant, in the same form', readPast)
    .option('--all', 'also instants at which the schedule started a run')
    .option('--concurrency <n>', 'how many of its runs at a time, up to 50 (default: 1)', readConcurrency)
    .option('-f, --follow', 'wait until all have finished; exit 10 when an instant could start nothing')
    .action(async (id: string, options: StartOptions) => {
      const client = context.connect(options)
      const { from, to, concurrency, all } = options
      const body = { from, to, concurrency, only_missing: all ? false : undefined }
      const made = await namingFlags(options, FLAGS, () =>
        client.call(backfillRoutes.createBackfill, { params: { id }, body }),
      )
      const last = options.follow ? await follow(context, client, made) : made
      if (options.follow) context.finish(exitCodeOf(last))
      if (options.json) return context.printJson(last)
      return printBackfill(context, last)
    })
}

function listOf(context: Context): Command {
  return withLimit(apiCommand('list', 'list the backfills of a schedule, newest first'), 20)
    .argument('<schedule>', SCHEDULE.named)
    .action((id: string, options: ListOptions) => {
      const backfills = {
        operation: backfillRoutes.listBackfills,
        params: { id },
        columns: [
          ['backfill', (each) => each.id],
          ['from', ({ from }) => formatUtc(from)],
          ['to', ({ to }) => formatUtc(to)],
          ['state', ({ state }) => state],
          ['progress', describeProgress],
          ['by', ({ requested_by }) => requested_by.name],
          ['asked for', ({ created_at }, now) => ago(created_at, now)],
        ],
      } satisfies ListPrint<typeof backfillRoutes.listBackfills>
      return printList(context, context.connect(options), backfills, options)
    })
}

function showCommand(context: Context): Command {
  return onOne('show', 'show how far a backfill is').action(
    async (id: string, backfillId: string, options: ApiOptions) => {
      const found = await context
        .connect(options)
        .call(backfillRoutes.getBackfill, { params: { id, backfill_id: backfillId } })
      if (options.json) return context.printJson(found)
      return printBackfill(context, found)
    },
  )
}

function cancelCommand(context: Context): Command {
  return onOne('cancel', 'start no more runs of a backfill; those that it started continue').action(
    async (id: string, backfillId: string, options: ApiOptions) => {
      const client = context.connect(options)
      const ended = await client.call(backfillRoutes.cancelBackfill, { params: { id, backfill_id: backfillId } })
      if (options.json) return context.printJson(ended)
      return context.printNote(`Backfill ${backfillId} is ${ended.state}: ${describeProgress(ended)}.`)
    },
  )
}

function onOne(name: string, description: string): Command {
  return apiCommand(name, description).argument('<schedule>', SCHEDULE.named).argument('<backfill>', BACKFILL_ID)
}

/** Looks at a backfill until it is over. Ctrl-C stops the looking, not the backfill. */
async function follow(context: Context, client: Client, made: Backfill): Promise<Backfill> {
  const { surroundings } = context
  const params = { id: made.schedule_id, backfill_id: made.id }
  const interrupted = new AbortController()
  const { signal } = interrupted
  using progress = createProgress(surroundings.err)
  using _interrupts = surroundings.onInterrupt(() => interrupted.abort())
  try {
    let last = made
    while (last.state === 'running') {
      progress.show(describeProgress(last))
      await wait(LOOK_EVERY_MS, undefined, { signal })
      last = await client.call(backfillRoutes.getBackfill, { params, signal })
    }
    return last
  } catch (error) {
    if (!signal.aborted) throw error
    throw new CommandFailed(
      'interrupted',
      'No longer watching; the backfill goes on.',
      `signalbox schedule backfill cancel ${params.id} ${params.backfill_id} ends it.`,
    )
  }
}

function exitCodeOf({ state, failed }: Backfill): number {
  if (state === 'canceled') return exitCode('runCanceled')
  return exitCode(failed > 0 ? 'runFailure' : 'success')
}

function printBackfill(context: Context, found: Backfill): void {
  context.printFields([
    ['backfill', found.id],
    ['from', formatUtc(found.from)],
    ['to', formatUtc(found.to)],
    ['instants', found.only_missing ? 'without those that started a run' : 'all'],
    ['at a time', String(found.concurrency)],
    ['state', found.state],
    ['progress', describeProgress(found)],
    ['asked for', `${ago(found.created_at, Date.now())} by ${found.requested_by.name}`],
  ])
  if (found.failed > 0) context.printNote('`signalbox schedule fires` says why an instant started nothing.', 'warn')
}

/** `3 of 10 done, 1 running, 6 pending`; what is none is left out. */
function describeProgress({ total, pending, started, unfinished, failed, canceled }: Backfill): string {
  const rest = [
    [unfinished, 'running'],
    [pending, 'pending'],
    [failed, 'started nothing'],
    [canceled, 'canceled'],
  ] as const
  const shown = rest.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return [`${started - unfinished} of ${total} done`, ...shown].join(', ')
}
