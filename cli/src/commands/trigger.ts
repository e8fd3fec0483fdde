import type { Command } from 'commander'
import { trigger } from '../client/answers.ts'
import { anything } from '../client/shape.ts'
import {
  type ApiOptions,
  apiCommand,
  type Context,
  clientOf,
  group,
  printJson,
  printNote,
  printTable,
} from './context.ts'
import { collectList, collectPair, readLimit } from './parse-arguments.ts'

export function triggerCommand(context: Context): Command {
  return group('trigger', 'triggers: which events start which pipeline', [listCommand(context), createCommand(context)])
}

function listCommand(context: Context): Command {
  return apiCommand('list', 'the triggers that you may see')
    .option('-t, --team <path>', 'of this team')
    .option('--limit <n>', 'how many at most', readLimit, 50)
    .action(async (options: ApiOptions & { team?: string; limit: number }) => {
      const query = { team_path: options.team }
      const answer = await clientOf(context, options).list('/v1/triggers', anything, options.limit, { query })
      if (options.json) return printJson(context, answer)
      const rows = answer
        .map((item) => trigger(item, 'trigger'))
        .map((each) => [
          `${each.team_path}/${each.name}`,
          each.events.join(','),
          each.repositories.join(','),
          each.pipeline,
          each.scope,
          each.enabled ? 'enabled' : { text: 'disabled', tone: 'warn' as const },
        ])
      return printTable(context, ['trigger', 'events', 'repositories', 'pipeline', 'scope', ''], rows)
    })
}

interface CreateOptions extends ApiOptions {
  readonly team: string
  readonly pipeline: string
  readonly scope: string
  readonly repository: readonly string[]
  readonly event: readonly string[]
  readonly source?: string
  readonly branch?: readonly string[]
  readonly tag?: readonly string[]
  readonly path?: readonly string[]
  readonly if?: string
  readonly var?: Readonly<Record<string, string>>
}

function createCommand(context: Context): Command {
  return apiCommand('create', 'make a trigger')
    .argument('<name>', 'unique in its team')
    .requiredOption('-t, --team <path>', 'team that owns it')
    .requiredOption('-p, --pipeline <pipeline>', 'identifier of the pipeline that it starts')
    .requiredOption('--scope <scope>', 'where the run runs')
    .requiredOption('-r, --repository <pattern>', 'owner/repository patterns; any number of times', collectList)
    .option('-e, --event <kind>', 'event kinds, such as push or pull_request', collectList, ['push'])
    .option('--source <id>', 'only deliveries of this source')
    .option('--branch <pattern>', 'branch patterns, ! excludes', collectList)
    .option('--tag <pattern>', 'tag patterns', collectList)
    .option('--path <pattern>', 'patterns of changed files', collectList)
    .option('--if <expression>', 'condition over event (CEL)')
    .option('--var <name=value>', 'variables of the run', collectPair)
    .action(async (name: string, options: CreateOptions) => {
      const body = {
        name,
        team_path: options.team,
        pipeline: options.pipeline,
        scope: options.scope,
        repositories: options.repository,
        // Commander hands the default on to the collector: what was given replaces it.
        events: options.event.length > 1 ? options.event.slice(1) : options.event,
        ...present({
          source_id: options.source,
          branches: options.branch,
          tags: options.tag,
          paths: options.path,
          if: options.if,
          variables: options.var,
        }),
      }
      const answer = await clientOf(context, options).post('/v1/triggers', anything, { body })
      if (options.json) return printJson(context, answer)
      const made = trigger(answer, 'trigger')
      return printNote(context, `Trigger ${made.team_path}/${made.name} is made; it starts ${made.pipeline}.`)
    })
}

function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
