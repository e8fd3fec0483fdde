import type { KnowledgeSummary } from '@signalbox/contracts/knowledge'
import { type Command, Option } from 'commander'
import { segment } from '../client/client.ts'
import { knowledgeItem, knowledgeRevision, knowledgeSummary } from '../client/knowledge-answers.ts'
import { anything } from '../client/shape.ts'
import { ago } from '../output/durations.ts'
import { escapeText } from '../output/escape.ts'
import {
  type ApiOptions,
  apiCommand,
  type Context,
  clientOf,
  group,
  printFields,
  printJson,
  printLine,
  printNote,
  printTable,
} from './context.ts'
import { applyCommand, validateCommand } from './knowledge-apply.ts'
import { testCommand } from './knowledge-test.ts'
import { readLimit } from './parse-arguments.ts'

const KINDS = ['policy', 'guardrail', 'reference'] as const satisfies readonly KnowledgeSummary['kind'][]

export function knowledgeCommand(context: Context): Command {
  return group('knowledge', 'policies and guardrails, which block; references, which tell', [
    listCommand(context),
    showCommand(context),
    applyCommand(context),
    validateCommand(context),
    testCommand(context),
    revisionsCommand(context),
    deleteCommand(context),
  ])
}

interface ListOptions extends ApiOptions {
  readonly team?: string
  readonly kind?: string
  readonly scope?: string
  readonly limit: number
}

function listCommand(context: Context): Command {
  return apiCommand('list', 'the items that you may see')
    .option('-t, --team <path>', 'of this team; / is the platform')
    .addOption(new Option('--kind <kind>', 'of this kind').choices(KINDS))
    .option('--scope <scope>', 'what applies in this scope')
    .option('--limit <n>', 'how many at most', readLimit, 50)
    .action(async (options: ListOptions) => {
      const query = { team_path: options.team, kind: options.kind, scope: options.scope }
      const answer = await clientOf(context, options).list('/v1/knowledge', anything, options.limit, { query })
      if (options.json) return printJson(context, answer)
      const now = Date.now()
      const rows = answer
        .map((item) => knowledgeSummary(item, 'item'))
        .map((each) => [
          each.identifier,
          each.kind,
          each.scope,
          each.rule ?? '',
          String(each.revision),
          ago(each.updated_at, now),
        ])
      return printTable(context, ['item', 'kind', 'scope', 'rule', 'revision', 'saved'], rows)
    })
}

function showCommand(context: Context): Command {
  return apiCommand('show', 'one item and its text')
    .argument('<item>', 'identifier such as acme/web/pinned-images, or id')
    .option('--text', 'the text alone')
    .action(async (identifier: string, options: ApiOptions & { text?: boolean }) => {
      const answer = await clientOf(context, options).get(pathOf(identifier), anything)
      if (options.json) return printJson(context, answer)
      const found = knowledgeItem(answer, 'item')
      if (!options.text) {
        printFields(context, [
          ['item', found.identifier],
          ['kind', found.kind],
          ['scope', found.scope],
          ['rule', found.rule ?? undefined],
          ['judged at', found.at ?? undefined],
          ['time zone', found.time_zone],
          ['message', found.message ?? undefined],
          ['revision', String(found.revision)],
          ['saved', `${ago(found.updated_at, Date.now())} by ${found.saved_by}`],
        ])
        printLine(context, '')
      }
      for (const line of found.text.trimEnd().split('\n')) printLine(context, escapeText(line))
    })
}

function revisionsCommand(context: Context): Command {
  return apiCommand('revisions', 'every save of an item, newest first')
    .argument('<item>', 'identifier or id')
    .option('--limit <n>', 'how many at most', readLimit, 50)
    .action(async (identifier: string, options: ApiOptions & { limit: number }) => {
      const client = clientOf(context, options)
      const answer = await client.list(`${pathOf(identifier)}/revisions`, anything, options.limit)
      if (options.json) return printJson(context, answer)
      const now = Date.now()
      const rows = answer
        .map((item) => knowledgeRevision(item, 'revision'))
        .map((each) => [
          String(each.revision),
          each.id,
          each.scope,
          each.rule ?? '',
          ago(each.saved_at, now),
          each.saved_by,
        ])
      return printTable(context, ['revision', 'id', 'scope', 'rule', 'saved', 'by'], rows)
    })
}

function deleteCommand(context: Context): Command {
  return apiCommand('delete', 'delete an item; its revisions stay with the runs that pinned them')
    .argument('<item>', 'identifier or id')
    .action(async (identifier: string, options: ApiOptions) => {
      await clientOf(context, options).request('DELETE', pathOf(identifier))
      return printNote(context, `${identifier} is deleted.`)
    })
}

function pathOf(identifier: string): string {
  return `/v1/knowledge/${segment(identifier)}`
}
