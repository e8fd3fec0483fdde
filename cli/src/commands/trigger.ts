import type { Command } from 'commander'
import { trigger } from '../client/answers.ts'
import { segment } from '../client/client.ts'
import { anything } from '../client/shape.ts'
import { triggerDetail } from '../client/trigger-answers.ts'
import {
  type ApiOptions,
  apiCommand,
  type Context,
  clientOf,
  group,
  printFields,
  printJson,
  printTable,
} from './context.ts'
import { readLimit } from './parse-arguments.ts'
import { resolveTrigger } from './trigger-lookup.ts'
import { simulateCommand } from './trigger-simulate.ts'
import { createCommand, deleteCommand, updateCommand } from './trigger-write.ts'

export function triggerCommand(context: Context): Command {
  return group('trigger', 'triggers: which events start which pipeline', [
    listCommand(context),
    getCommand(context),
    createCommand(context),
    updateCommand(context),
    deleteCommand(context),
    simulateCommand(context),
  ])
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

function getCommand(context: Context): Command {
  return apiCommand('get', 'everything about one trigger')
    .argument('<trigger>', 'id, or <team path>/<name>')
    .action(async (given: string, options: ApiOptions) => {
      const client = clientOf(context, options)
      const answer = await client.get(`/v1/triggers/${segment(await resolveTrigger(client, given))}`, anything)
      if (options.json) return printJson(context, answer)
      const found = triggerDetail(answer, 'trigger')
      const rule = found.concurrency
      return printFields(context, [
        ['trigger', `${found.team_path}/${found.name}`],
        ['id', found.id],
        ['state', found.enabled ? 'enabled' : { text: 'disabled', tone: 'warn' }],
        ['starts', `${found.pipeline} in ${found.scope}`],
        ['owner', found.owner.name],
        ['source', found.source_lost_at === null ? (found.source_id ?? 'any') : { text: 'deleted', tone: 'warn' }],
        ['repositories', found.repositories.join(', ')],
        ['events', found.events.join(', ')],
        ['actions', found.actions.join(', ')],
        ['branches', found.branches.join(', ')],
        ['tags', found.tags.join(', ')],
        ['paths', found.paths.join(', ')],
        ['labels', found.labels.join(', ')],
        ['drafts', found.draft],
        ['commands', found.commands.join(', ')],
        ['commenters', found.commenters.join(', ')],
        ['if', found.if ?? ''],
        ['concurrency', rule === null ? '' : `${rule.group} (${rule.on_conflict})`],
      ])
    })
}
