import type { Command } from 'commander'
import { delivery, deliveryDetail, source, type TriggerTrace } from '../client/answers.ts'
import { segment } from '../client/client.ts'
import { anything } from '../client/shape.ts'
import { ago } from '../output/durations.ts'
import { toneOf } from '../output/style.ts'
import type { Row } from '../output/table.ts'
import {
  type ApiOptions,
  apiCommand,
  type Context,
  clientOf,
  group,
  printFields,
  printJson,
  printLine,
  printTable,
} from './context.ts'
import { collectList, readLimit } from './parse-arguments.ts'

export function sourceCommand(context: Context): Command {
  return group('source', 'webhook sources: where deliveries come from', [
    listCommand(context),
    createCommand(context),
    deliveriesCommand(context),
    deliveryCommand(context),
  ])
}

function listCommand(context: Context): Command {
  return apiCommand('list', 'the sources that you may see')
    .option('--limit <n>', 'how many at most', readLimit, 50)
    .action(async (options: ApiOptions & { limit: number }) => {
      const answer = await clientOf(context, options).list('/v1/git-webhook-sources', anything, options.limit)
      if (options.json) return printJson(context, answer)
      const rows = answer
        .map((item) => source(item, 'source'))
        .map((each) => [
          each.id,
          each.name,
          each.provider,
          each.team_path,
          each.enabled ? 'enabled' : { text: 'disabled', tone: 'warn' as const },
          String(each.connected_trigger_count),
        ])
      return printTable(context, ['id', 'name', 'provider', 'team', '', 'triggers'], rows)
    })
}

interface CreateOptions extends ApiOptions {
  readonly team: string
  readonly provider: string
  readonly secret: string
  readonly repository: readonly string[]
}

function createCommand(context: Context): Command {
  return apiCommand('create', 'make a source; prints the address to enter at the provider')
    .argument('<name>', 'unique among all sources')
    .requiredOption('-t, --team <path>', 'team that owns it')
    .requiredOption('--secret <secret>', 'stored secret that signs deliveries, such as acme/github')
    .requiredOption('-r, --repository <pattern>', 'owner/repository that may send; any number of times', collectList)
    .option('--provider <provider>', 'who sends', 'github')
    .action(async (name: string, options: CreateOptions) => {
      const client = clientOf(context, options)
      const body = {
        name,
        provider: options.provider,
        team_path: options.team,
        credential_ref: /^(secret|env):/.test(options.secret) ? options.secret : `secret:${options.secret}`,
        repository_allowlist: options.repository,
      }
      const answer = await client.post('/v1/git-webhook-sources', anything, { body })
      if (options.json) return printJson(context, answer)
      const { id } = source(answer, 'source')
      return printFields(context, [
        ['source', id],
        ['payload URL', `${client.url}/v1/git/webhooks/${id}`],
        ['content type', 'application/json'],
        ['secret', `the value of ${options.secret}`],
      ])
    })
}

function deliveriesCommand(context: Context): Command {
  return apiCommand('deliveries', 'what a source received, newest first, and what became of it')
    .argument('<source>', 'id of the source')
    .option('--limit <n>', 'how many at most', readLimit, 20)
    .action(async (id: string, options: ApiOptions & { limit: number }) => {
      const path = `/v1/git-webhook-sources/${segment(id)}/deliveries`
      const answer = await clientOf(context, options).list(path, anything, options.limit)
      if (options.json) return printJson(context, answer)
      const now = Date.now()
      const rows = answer
        .map((item) => delivery(item, 'delivery'))
        .map((each) => [
          each.id,
          ago(each.received_at, now),
          each.event_type,
          each.repository ?? '',
          each.ref ?? '',
          { text: `${each.result} (${each.status_code})`, tone: toneOf(each.result) },
          String(each.run_ids.length),
          each.reason,
        ])
      return printTable(context, ['id', 'received', 'event', 'repository', 'ref', 'result', 'runs', 'reason'], rows)
    })
}

function deliveryCommand(context: Context): Command {
  return apiCommand('delivery', 'why one delivery started what it started, or nothing')
    .argument('<source>', 'id of the source')
    .argument('<delivery>', 'id of the delivery, as `source deliveries` shows it')
    .action(async (id: string, deliveryId: string, options: ApiOptions) => {
      const path = `/v1/git-webhook-sources/${segment(id)}/deliveries/${segment(deliveryId)}`
      const answer = await clientOf(context, options).get(path, anything)
      if (options.json) return printJson(context, answer)
      const found = deliveryDetail(answer, 'delivery')
      printFields(context, [
        ['delivery', found.id],
        ['received', ago(found.received_at, Date.now())],
        ['event', found.event_type],
        ['repository', found.repository ?? ''],
        ['ref', found.ref ?? ''],
        ['signature', found.trace.verification],
        ['result', { text: `${found.result} (${found.status_code})`, tone: toneOf(found.result) }],
        ['reason', found.reason],
      ])
      const triggers = found.trace.events.flatMap((event) => event.triggers)
      if (triggers.length === 0) return
      printLine(context, '')
      return printTable(context, ['trigger', 'outcome', 'condition', 'expected', 'seen'], triggers.map(rowOf))
    })
}

/** A trigger, and the condition that decided against it. */
function rowOf(trigger: TriggerTrace): Row {
  const failed = trigger.conditions.find(({ condition }) => condition === trigger.first_failed)
  return [
    `${trigger.team_path}/${trigger.name}`,
    [trigger.outcome, trigger.run_id ?? trigger.reason ?? ''].filter((part) => part !== '').join(': '),
    failed?.condition ?? '',
    failed?.expected ?? '',
    failed?.seen ?? '',
  ]
}
