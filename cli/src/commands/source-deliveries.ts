import type { TriggerTrace } from '@signalbox/contracts/events'
import type { Delivery, DeliveryTrace } from '@signalbox/contracts/sources'
import { deliveryRoutes } from '@signalbox/contracts/sources/routes'
import { type Command, Option } from 'commander'
import { CommandFailed } from '../errors.ts'
import { ago } from '../output/durations.ts'
import { toneOf } from '../output/style.ts'
import type { Row } from '../output/table.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { type Columns, printList, type TeamListOptions, teamOption, withLimit } from './listing.ts'
import { printManifests } from './manifest-faults.ts'
import { readMoment } from './parse-arguments.ts'
import { resolveSource } from './source-lookup.ts'

const RESULTS = [
  'accepted',
  'ignored',
  'duplicate',
  'unprocessable',
  'rejected',
] as const satisfies readonly Delivery['result'][]

/** Options that narrow a list of deliveries. */
export interface DeliveryFilter {
  readonly result?: Delivery['result']
  readonly eventType?: string
  readonly repository?: string
  readonly since?: string
}

/** Further options that narrow a list, and no replay. */
interface ListedFilter {
  readonly commit?: string
  readonly ref?: string
  readonly until?: string
}

export function withFilter(command: Command): Command {
  return command
    .addOption(new Option('--result <result>', 'only with this result').choices(RESULTS))
    .option('--event-type <type>', "the provider's word for the event, such as push")
    .option('-r, --repository <repository>', '<owner>/<name>; ignores case')
    .option('--since <time>', 'received since this time, such as 2027-01-01T00:00:00Z', readMoment)
}

export function filterOf({ result, eventType, repository, since }: DeliveryFilter) {
  return { result, event_type: eventType, repository, since }
}

export function deliveriesCommand(context: Context): Command {
  return withLimit(
    withFilter(apiCommand('deliveries', 'list the deliveries of a source, or of all, and their results, newest first')),
    20,
  )
    .option('--commit <sha>', 'of this commit, or its first digits')
    .option('--ref <ref>', 'of this branch, tag or full ref; with --repository')
    .option('--until <time>', 'received before this time, in the same form', readMoment)
    .addOption(teamOption('of sources of this team and of those below it, by id or path'))
    .argument('[source]', 'name or id (default: all sources)')
    .action(async (given: string | undefined, options: TeamListOptions & DeliveryFilter & ListedFilter) => {
      const client = context.connect(options)
      const { until, commit, ref } = options
      const query = { ...filterOf(options), commit_sha: commit, ref, until }
      if (given !== undefined) {
        if (options.team !== undefined) throw new CommandFailed('usage', 'Name a source, or a team: not both.')
        const params = { sourceID: await resolveSource(client, given) }
        const operation = deliveryRoutes.listDeliveries
        return printList(context, client, { operation, params, query, columns: COLUMNS }, options)
      }
      const operation = deliveryRoutes.listAllDeliveries
      const all = { operation, query: { ...query, teamId: options.team }, columns: [...COLUMNS, SOURCE] }
      return printList(context, client, all, options)
    })
}

const COLUMNS: Columns<Delivery> = [
  ['id', ({ id }) => id],
  ['received', ({ received_at }, now) => ago(received_at, now)],
  ['event', (each) => [each.event_type, kindOf(each)].filter((part) => part !== '').join(' ')],
  ['repository', ({ repository }) => repository ?? ''],
  ['ref', ({ ref }) => ref ?? ''],
  ['result', (each) => ({ text: `${each.result} (${each.status_code})`, tone: toneOf(each.result) })],
  ['runs', ({ run_ids }) => String(run_ids.length)],
  ['reason', ({ reason }) => reason],
]

function kindOf({ replay_of: replayOf, recovered }: Delivery): string {
  if (replayOf !== null) return '(replay)'
  return recovered ? '(recovered)' : ''
}

const SOURCE: Columns<Delivery>[number] = ['source', ({ source_id: source }) => source]

export function deliveryCommand(context: Context): Command {
  return apiCommand('delivery', 'explain why a delivery started runs, or none')
    .argument('<source>', 'name or id')
    .argument('<delivery>', 'id of the delivery, as `source deliveries` shows it')
    .action(async (given: string, deliveryID: string, options: ApiOptions) => {
      const client = context.connect(options)
      const params = { sourceID: await resolveSource(client, given), deliveryID }
      const found = await client.call(deliveryRoutes.getDelivery, { params })
      if (options.json) return context.printJson(found)
      context.printFields([
        ['delivery', found.id],
        ['received', ago(found.received_at, Date.now())],
        ['missed', ago(found.missed_at, Date.now())],
        ['event', found.event_type],
        ['repository', found.repository ?? ''],
        ['ref', found.ref ?? ''],
        ['signature', found.trace.verification],
        ['result', { text: `${found.result} (${found.status_code})`, tone: toneOf(found.result) }],
        ['reason', found.reason],
      ])
      return printTriggers(context, found.trace)
    })
}

/** Every considered rule, the condition that decided against it, and the faults of the manifest. */
export function printTriggers(context: Context, trace: Pick<DeliveryTrace, 'events'>): void {
  const triggers = trace.events.flatMap((event) => event.triggers)
  if (triggers.length > 0) {
    context.printLine('')
    context.printTable(['trigger', 'outcome', 'condition', 'expected', 'seen'], triggers.map(rowOf))
  }
  for (const { note, near_misses: misses } of trace.events) {
    if (note) context.printLine(`\n${note}`)
    for (const { name, team_path: teamPath, pattern, reason } of misses ?? []) {
      context.printLine(`\nnearly: ${teamPath}/${name} has ${pattern}. ${reason}`)
    }
  }
  printManifests(
    context,
    trace.events.map(({ manifest }) => manifest),
  )
}

function rowOf(trigger: TriggerTrace): Row {
  const failed = trigger.conditions.find(({ condition }) => condition === trigger.first_failed)
  return [
    nameOf(trigger),
    [trigger.outcome, trigger.run_id ?? trigger.reason ?? ''].filter((part) => part !== '').join(': '),
    failed?.condition ?? '',
    failed?.expected ?? '',
    [failed?.seen ?? '', failed?.note ?? ''].filter((part) => part !== '').join(': '),
  ]
}

/** The name to look for: an entry of a manifest may have the name of a trigger, an override has its pipeline's. */
function nameOf({ layer, team_path: teamPath, name }: TriggerTrace): string {
  switch (layer) {
    case 'override':
      return `override: ${name}`
    case 'repository_manifest':
      return `manifest: ${name}`
    default:
      return `${teamPath}/${name}`
  }
}
