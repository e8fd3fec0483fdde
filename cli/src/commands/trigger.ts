import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import type { Command } from 'commander'
import { type Context, group } from './context.ts'
import { enabledCell, listCommand, queryOfTeam, teamOption } from './listing.ts'
import { deleteOf, showOf } from './resource.ts'
import { schemaCommand } from './schema.ts'
import { triggers } from './trigger-lookup.ts'
import { simulateCommand } from './trigger-simulate.ts'
import { createCommand, updateCommand } from './trigger-write.ts'

export function triggerCommand(context: Context): Command {
  return group('trigger', 'triggers: which events start which pipeline', [
    listOf(context),
    showOf(context, triggers, 'show a trigger', (found) => [
      ['trigger', `${found.team_path}/${found.name}`],
      ['id', found.id],
      ['state', enabledCell(found)],
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
      ['skip_ci', found.skip_ci ? 'yes' : 'no'],
      ['report_comment', found.report_comment ? 'yes' : 'no'],
      ['if', found.if ?? ''],
      [
        'concurrency',
        found.concurrency === null ? '' : `${found.concurrency.group} (${found.concurrency.on_conflict})`,
      ],
    ]).alias('get'),
    createCommand(context),
    updateCommand(context),
    deleteOf(context, triggers, 'delete a trigger; runs that it started continue'),
    simulateCommand(context),
    schemaCommand(context, triggerRoutes.getTriggerSchema, 'of the manifest `.signalbox/triggers.yaml`'),
  ])
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list the triggers that you may see',
    operation: triggerRoutes.listTriggers,
    options: [teamOption()],
    query: queryOfTeam,
    columns: [
      ['trigger', (each) => `${each.team_path}/${each.name}`],
      ['events', ({ events }) => events.join(',')],
      ['repositories', ({ repositories }) => repositories.join(',')],
      ['pipeline', ({ pipeline }) => pipeline],
      ['scope', ({ scope }) => scope],
      ['', enabledCell],
    ],
  })
}
