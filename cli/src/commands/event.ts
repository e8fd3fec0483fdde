import type { EventQuery, EventRecord } from '@signalbox/contracts/events'
import { eventRecordRoutes, eventRoutes } from '@signalbox/contracts/events/routes'
import { type Command, Option } from 'commander'
import { ago } from '../output/durations.ts'
import { toneOf } from '../output/style.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { type ListOptions, listCommand } from './listing.ts'
import { readPast } from './parse-arguments.ts'
import { readDocument } from './pipeline-document.ts'
import { printTriggers } from './source-deliveries.ts'

type Narrowed = Pick<EventQuery, 'repository' | 'ref' | 'kind' | 'result' | 'cause' | 'since'> & {
  readonly commit?: string
}

const RESULTS = ['accepted', 'ignored', 'duplicate', 'refused', 'pending'] as const satisfies readonly NonNullable<
  EventQuery['result']
>[]

export function eventCommand(context: Context): Command {
  return group('event', 'Git events and what they start', [
    listCommand(context, {
      description: 'list the events of deliveries and the posted events, newest first',
      operation: eventRecordRoutes.listEvents,
      options: [
        new Option('-r, --repository <repository>', '<owner>/<name>, in whatever case'),
        new Option('--commit <sha>', 'of this commit, or its first digits'),
        new Option('--ref <ref>', 'of this branch, tag or full ref; with --repository'),
        new Option('--kind <kind>', 'such as push'),
        new Option('--result <result>', 'only with this result').choices(RESULTS),
        new Option('--cause <cause>', 'how the service learned of them').choices(['delivery', 'posted']),
        new Option('--since <time>', 'at this time and later: 2027-01-01T00:00:00Z, or 2h ago as 2h').argParser(
          readPast,
        ),
      ],
      query: ({ repository, commit, ref, kind, result, cause, since }: ListOptions & Narrowed) => ({
        repository,
        commit_sha: commit,
        ref,
        kind,
        result,
        cause,
        since,
      }),
      limit: 20,
      columns: [
        ['id', ({ id }) => id],
        ['received', ({ received_at }, now) => ago(received_at, now)],
        ['cause', causeOf],
        ['kind', ({ kind }) => kind],
        ['repository', ({ repository }) => repository],
        ['ref', ({ ref }) => ref ?? ''],
        ['result', ({ result }) => ({ text: result, tone: toneOf(result) })],
      ],
    }),
    showCommand(context),
    postCommand(context),
  ])
}

function causeOf({ cause, replay_of: replayOf, recovered }: EventRecord): string {
  if (replayOf !== null) return 'replay'
  return recovered ? `${cause} (recovered)` : cause
}

function showCommand(context: Context): Command {
  return apiCommand('show', 'show why an event started its runs, or why it started none')
    .argument('<event>', 'id of the event, as `event list` and `event post` show it')
    .action(async (id: string, options: ApiOptions) => {
      const found = await context.connect(options).call(eventRecordRoutes.getEvent, { params: { id } })
      if (options.json) return context.printJson(found)
      const { posted_by: poster } = found
      context.printFields([
        ['event', found.id],
        ['received', ago(found.received_at, Date.now())],
        ['missed', ago(found.missed_at, Date.now())],
        ['kind', found.action === null ? found.kind : `${found.kind} ${found.action}`],
        ['repository', found.repository],
        ['ref', found.ref ?? ''],
        ['commit', found.commit_sha ?? ''],
        ['posted by', poster === null ? '' : `${poster.kind}:${poster.name}`],
        ['source', found.source_id ?? ''],
        ['delivery', found.delivery_id ?? ''],
        ['result', { text: found.result, tone: toneOf(found.result) }],
        ['runs', found.run_ids.join(', ')],
      ])
      if (found.trace) return printTriggers(context, { events: [found.trace] })
      return context.printNote('The record that says why is no longer kept.')
    })
}

function postCommand(context: Context): Command {
  return apiCommand('post', 'post an event in the format of Signalbox; triggers decide what it starts')
    .argument('<file>', 'JSON document of the event; - is the standard input')
    .action(async (file: string, options: ApiOptions) => {
      const raw = { contentType: 'application/json', text: await readDocument(context, file) }
      const answer = await context.connect(options).call(eventRoutes.postGitEvent, { raw })
      if (options.json) return context.printJson(answer)
      if ('run_id' in answer) return context.printNote(`The event starts the run ${answer.run_id}.`)
      return context.printNote(`The event is ${answer.status}; see \`event show ${answer.event_id}\`.`)
    })
}
