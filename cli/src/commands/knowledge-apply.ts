import type { KnowledgeItem, KnowledgeValidation } from '@signalbox/contracts/knowledge'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { rawJson } from '../client/operations.ts'
import { CommandFailed } from '../errors.ts'
import { exitCode } from '../exit-codes.ts'
import { escapeText } from '../output/escape.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { readFields } from './pipeline-document.ts'

type Document = Readonly<Record<string, unknown>>

/** The fields that a document may leave out, with the values that the API fills in. */
const DEFAULTS: Document = { scope: '**', rule: null, at: null, time_zone: 'UTC', message: null, text: '' }

/** `knowledge apply`: makes the item, or its next revision; a document that is wrong changes nothing. */
export function applyCommand(context: Context): Command {
  return apiCommand('apply', 'save documents; each one creates its item or a new revision of it')
    .argument('<files...>', 'YAML files with the fields of the API; - is the standard input')
    .action(async (files: readonly string[], options: ApiOptions) => {
      const client = context.connect(options)
      const saved: KnowledgeItem[] = []
      for (const file of files) {
        const document = await readFields(context, file)
        const verdict = await check(client, document)
        if (!verdict.valid) {
          printFaults(context, file, verdict)
          throw new CommandFailed('usage', `${file} was not saved: ${countOf(verdict)}.`)
        }
        const { item, changed } = await saveItem(client, document)
        saved.push(item)
        context.printNote(`${item.identifier} is ${changed ? 'saved' : 'unchanged'}, revision ${item.revision}.`)
      }
      if (options.json) context.printJson(saved)
    })
}

/** `knowledge validate`: every problem at once. */
export function validateCommand(context: Context): Command {
  return apiCommand('validate', 'check documents; print `file: field message` for each error, and exit 2 on errors')
    .argument('<files...>', 'YAML files with the fields of the API; - is the standard input')
    .action(async (files: readonly string[], options: ApiOptions) => {
      const client = context.connect(options)
      const results = []
      for (const file of files) results.push({ file, verdict: await check(client, await readFields(context, file)) })
      if (results.some(({ verdict }) => !verdict.valid)) context.finish(exitCode('usage'))
      if (options.json) return context.printJson(results.map(({ file, verdict }) => ({ file, ...verdict })))
      for (const { file, verdict } of results) {
        printFaults(context, file, verdict)
        if (!verdict.valid) continue
        const where = verdict.judged_at.length === 0 ? '' : ` The rule is judged at: ${verdict.judged_at.join(', ')}.`
        context.printNote(`${file} is valid.${where}`, 'good')
      }
    })
}

function check(client: Client, document: Document): Promise<KnowledgeValidation> {
  return client.call(knowledgeRoutes.validateKnowledgeItem, { raw: rawJson(document) })
}

async function saveItem(client: Client, document: Document): Promise<{ item: KnowledgeItem; changed: boolean }> {
  const { team_path: team, name } = document
  const params = { id: team === '/' ? `/${name}` : `${team}/${name}` }
  const raw = rawJson(document)
  const found = await client.find(knowledgeRoutes.getKnowledgeItem, { params })
  if (!found) return { item: await client.call(knowledgeRoutes.createKnowledgeItem, { raw }), changed: true }
  if (isSame(found, document)) return { item: found, changed: false }
  return { item: await client.call(knowledgeRoutes.replaceKnowledgeItem, { params, raw }), changed: true }
}

/** Whether a save would change nothing: it would make a revision all the same. */
function isSame(found: KnowledgeItem, document: Document): boolean {
  const current: Document = { ...found }
  const wanted: Document = { ...DEFAULTS, ...document }
  return ['kind', ...Object.keys(DEFAULTS)].every((field) => current[field] === wanted[field])
}

function printFaults(context: Context, file: string, { errors }: KnowledgeValidation): void {
  const name = file === '-' ? 'stdin' : file
  for (const { field, message, line, column } of errors) {
    const where = line === null || column === null ? field : `${field} ${line}:${column}`
    context.printLine(escapeText(`${name}: ${where} ${message}`))
  }
}

function countOf({ errors }: KnowledgeValidation): string {
  return errors.length === 1 ? '1 error' : `${errors.length} errors`
}
