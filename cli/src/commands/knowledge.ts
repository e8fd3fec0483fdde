import type { KnowledgeRevision, KnowledgeSummary } from '@signalbox/contracts/knowledge'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { type Command, Option } from 'commander'
import { ago } from '../output/durations.ts'
import { escapeText } from '../output/escape.ts'
import { type ConfirmOptions, confirm, confirmedCommand } from './confirm.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { applyCommand, validateCommand } from './knowledge-apply.ts'
import { testCommand } from './knowledge-test.ts'
import { listCommand, printItems, type TeamListOptions, teamOption } from './listing.ts'
import { readLimit } from './parse-arguments.ts'

const KINDS = ['policy', 'guardrail', 'reference'] as const satisfies readonly KnowledgeSummary['kind'][]

export function knowledgeCommand(context: Context): Command {
  return group('knowledge', 'knowledge items: policies and guardrails block runs, references inform', [
    listOf(context),
    showCommand(context),
    applyCommand(context),
    validateCommand(context),
    testCommand(context),
    revisionsCommand(context),
    revisionCommand(context),
    deleteCommand(context),
  ])
}

interface KnowledgeListOptions extends TeamListOptions {
  readonly kind?: KnowledgeSummary['kind']
  readonly scope?: string
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list the items that you may see',
    operation: knowledgeRoutes.listKnowledgeItems,
    options: [
      teamOption('of this team; / is the platform'),
      new Option('--kind <kind>', 'only of this kind').choices(KINDS),
      new Option('--scope <scope>', 'only items that apply in this scope'),
    ],
    query: ({ team, kind, scope }: KnowledgeListOptions) => ({ team_path: team, kind, scope }),
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
  for (const line of found.text.trimEnd().split('\n')) context.printLine(escapeText(line))
}

function revisionsCommand(context: Context): Command {
  return apiCommand('revisions', 'list the revisions of an item, newest first')
    .argument('<item>', 'identifier or id')
    .option('--limit <n>', 'how many at most', readLimit, 50)
    .action(async (id: string, options: ApiOptions & { limit: number }) => {
      const request = { params: { id }, limit: options.limit }
      const revisions = await context.connect(options).list(knowledgeRoutes.listKnowledgeRevisions, request)
      if (options.json) return context.printJson(revisions)
      return printItems(context, revisions, [
        ['revision', ({ revision }) => String(revision)],
        ['id', (each) => each.id],
        ['scope', ({ scope }) => scope],
        ['rule', ({ rule }) => rule ?? ''],
        ['saved', ({ saved_at }, now) => ago(saved_at, now)],
        ['by', ({ saved_by }) => saved_by],
      ])
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

function deleteCommand(context: Context): Command {
  return confirmedCommand('delete', 'delete an item; runs keep the revisions that they pinned')
    .argument('<item>', 'identifier or id')
    .action(async (identifier: string, options: ConfirmOptions) => {
      await confirm(context, `Delete the item ${identifier}`, options)
      await context.connect(options).call(knowledgeRoutes.deleteKnowledgeItem, { params: { id: identifier } })
      if (options.json) return context.printJson({ deleted: identifier })
      return context.printNote(`${identifier} is deleted.`)
    })
}
