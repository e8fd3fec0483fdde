import type { KnowledgeRevision, KnowledgeSummary } from '@signalbox/contracts/knowledge'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { type Command, Option } from 'commander'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { applyCommand, validateCommand } from './knowledge-apply.ts'
import { testCommand } from './knowledge-test.ts'
import { tryCommand } from './knowledge-try.ts'
import {
  type ListOptions,
  type ListPrint,
  listCommand,
  printList,
  type TeamListOptions,
  teamOption,
  withLimit,
} from './listing.ts'
import { deleteOf } from './resource.ts'

const KINDS = ['policy', 'guardrail', 'reference'] as const satisfies readonly KnowledgeSummary['kind'][]

const items = { noun: 'item', named: 'identifier or id', delete: knowledgeRoutes.deleteKnowledgeItem }

export function knowledgeCommand(context: Context): Command {
  return group('knowledge', 'knowledge items: policies and guardrails block runs, references inform', [
    listOf(context),
    showCommand(context),
    applyCommand(context),
    validateCommand(context),
    testCommand(context),
    tryCommand(context),
    revisionsCommand(context),
    revisionCommand(context),
    deleteOf(context, items, 'delete an item; runs keep the revisions that they pinned'),
  ])
}

interface KnowledgeListOptions extends TeamListOptions {
  readonly kind?: KnowledgeSummary['kind']
  readonly scope?: string
  readonly pipelineTeam?: string
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list the items that you may see',
    operation: knowledgeRoutes.listKnowledgeItems,
    options: [
      teamOption('of this team; / is the platform'),
      new Option('--kind <kind>', 'only of this kind').choices(KINDS),
      new Option('--scope <scope>', 'only items that apply in this scope'),
      new Option('--pipeline-team <path>', 'with --scope: to the pipelines of this team (default: of the scope)'),
    ],
    query: ({ team, kind, scope, pipelineTeam }: KnowledgeListOptions) => ({
      team_path: team,
      kind,
      scope,
      pipeline_team: pipelineTeam,
    }),
    columns: [
      ['item', ({ identifier }) => identifier],
      ['kind', ({ kind }) => kind],
      ['scope', ({ scope }) => scope],
      ['rule', ({ rule }) => rule ?? ''],
      ['revision', ({ revision }) => String(revision)],
      ['saved', ({ updated_at }, now) => ago(updated_at, now)],
    ],
  })
}

function showCommand(context: Context): Command {
  return apiCommand('show', 'show an item and its text')
    .argument('<item>', 'identifier such as acme/web/pinned-images, or id')
    .option('--text', 'print only the text')
    .action(async (id: string, options: ApiOptions & { text?: boolean }) => {
      const found = await context.connect(options).call(knowledgeRoutes.getKnowledgeItem, { params: { id } })
      if (options.json) return context.printJson(found)
      return showItem(context, { ...found, saved_at: found.updated_at }, options)
    })
}

function showItem(
  context: Context,
  found: Omit<KnowledgeRevision, 'item_id'>,
  options: { readonly text?: boolean },
): void {
  if (!options.text) {
    context.printFields([
      ['item', found.identifier],
      ['kind', found.kind],
      ['scope', found.scope],
      ['rule', found.rule ?? undefined],
      ['judged at', found.at ?? undefined],
      ['time zone', found.time_zone],
      ['message', found.message ?? undefined],
      ['revision', String(found.revision)],
      ['saved', `${ago(found.saved_at, Date.now())} by ${found.saved_by}`],
    ])
    context.printLine('')
  }
  context.printText(found.text)
}

function revisionsCommand(context: Context): Command {
  return withLimit(apiCommand('revisions', 'list the revisions of an item, newest first'))
    .argument('<item>', items.named)
    .action((id: string, options: ListOptions) => {
      const revisions = {
        operation: knowledgeRoutes.listKnowledgeRevisions,
        params: { id },
        columns: [
          ['revision', ({ revision }) => String(revision)],
          ['id', (each) => each.id],
          ['scope', ({ scope }) => scope],
          ['rule', ({ rule }) => rule ?? ''],
          ['saved', ({ saved_at }, now) => ago(saved_at, now)],
          ['by', ({ saved_by }) => saved_by],
        ],
      } satisfies ListPrint<typeof knowledgeRoutes.listKnowledgeRevisions>
      return printList(context, context.connect(options), revisions, options)
    })
}

function revisionCommand(context: Context): Command {
  return apiCommand('revision', 'show a revision of an item and its text, also of a deleted item')
    .argument('<revision>', 'id, as `knowledge revisions` or a run shows it')
    .option('--text', 'print only the text')
    .action(async (id: string, options: ApiOptions & { text?: boolean }) => {
      const found = await context.connect(options).call(knowledgeRoutes.getKnowledgeRevision, { params: { id } })
      if (options.json) return context.printJson(found)
      return showItem(context, found, options)
    })
}
