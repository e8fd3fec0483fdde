import type { Command } from 'commander'
import { type Client, segment } from '../client/client.ts'
import { type KnowledgeVerdict, knowledgeItem, knowledgeValidation } from '../client/knowledge-answers.ts'
import { ApiProblem } from '../client/problem.ts'
import { anything } from '../client/shape.ts'
import { CommandFailed, messageOf } from '../errors.ts'
import { exitCode } from '../exit-codes.ts'
import { escapeText } from '../output/escape.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, printJson, printLine, printNote } from './context.ts'
import { readDocument } from './pipeline-document.ts'

type Document = Readonly<Record<string, unknown>>

/** What a document may leave out, as the API fills it in. */
const DEFAULTS: Document = { scope: '**', rule: null, at: null, time_zone: 'UTC', message: null, text: '' }

/** `knowledge apply`: makes the item, or its next revision; a document that is wrong changes nothing. */
export function applyCommand(context: Context): Command {
  return apiCommand('apply', 'save documents: each makes its item, or the next revision of it')
    .argument('<files...>', 'YAML files with the fields of the API; - is the standard input')
    .action(async (files: readonly string[], options: ApiOptions) => {
      const client = clientOf(context, options)
      const saved: unknown[] = []
      for (const file of files) {
        const document = await readItem(context, file)
        const verdict = await check(client, document)
        if (!verdict.valid) {
          printFaults(context, file, verdict)
          throw new CommandFailed('usage', `${file} was not saved: ${countOf(verdict)}.`)
        }
        const { answer, changed } = await saveItem(client, document)
        saved.push(answer)
        const { identifier, revision } = knowledgeItem(answer, 'item')
        printNote(context, `${identifier} is ${changed ? 'saved' : 'unchanged'}, revision ${revision}.`)
      }
      if (options.json) printJson(context, saved)
    })
}

/** `knowledge validate`: every problem at once. */
export function validateCommand(context: Context): Command {
  return apiCommand('validate', 'check documents; prints file: field message, exits 2 on errors')
    .argument('<files...>', 'YAML files with the fields of the API; - is the standard input')
    .action(async (files: readonly string[], options: ApiOptions) => {
      const client = clientOf(context, options)
      const results = []
      for (const file of files) results.push({ file, verdict: await check(client, await readItem(context, file)) })
      if (results.some(({ verdict }) => !verdict.valid)) context.finish(exitCode('usage'))
      if (options.json)
        return printJson(
          context,
          results.map(({ file, verdict }) => ({ file, ...verdict })),
        )
      for (const { file, verdict } of results) {
        printFaults(context, file, verdict)
        if (!verdict.valid) continue
        const where = verdict.judged_at.length === 0 ? '' : ` It is judged at: ${verdict.judged_at.join(', ')}.`
        printNote(context, `${file} is valid.${where}`, 'good')
      }
    })
}

async function check(client: Client, body: Document): Promise<KnowledgeVerdict> {
  return knowledgeValidation(await client.post('/v1/knowledge/validate', anything, { body }), 'validation')
}

async function saveItem(client: Client, body: Document): Promise<{ answer: unknown; changed: boolean }> {
  const { team_path: team, name } = body
  const path = `/v1/knowledge/${segment(team === '/' ? `/${name}` : `${team}/${name}`)}`
  const found = await client.request('GET', path).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.status === 404) return undefined
    throw error
  })
  if (!found) return { answer: await client.post('/v1/knowledge', anything, { body }), changed: true }
  if (isSame(found.body, body)) return { answer: found.body, changed: false }
  return { answer: (await client.request('PUT', path, { body })).body, changed: true }
}

/** Whether a save would change nothing: it would make a revision all the same. */
function isSame(found: unknown, body: Document): boolean {
  const current: Document = typeof found === 'object' && found !== null ? { ...found } : {}
  const wanted: Document = { ...DEFAULTS, ...body }
  return ['kind', ...Object.keys(DEFAULTS)].every((field) => current[field] === wanted[field])
}

async function readItem(context: Context, file: string): Promise<Document> {
  const text = await readDocument(context, file)
  const { parse } = await import('yaml')
  const document = readWith(parse, text, file)
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) return { ...document }
  throw new CommandFailed('usage', `${file} holds no map of fields.`)
}

function readWith(parse: (text: string) => unknown, text: string, file: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new CommandFailed('usage', `${file} cannot be read: ${messageOf(error)}`)
  }
}

function printFaults(context: Context, file: string, { errors }: KnowledgeVerdict): void {
  const name = file === '-' ? 'stdin' : file
  for (const { field, message, line, column } of errors) {
    const where = line === null || column === null ? field : `${field} ${line}:${column}`
    printLine(context, escapeText(`${name}: ${where} ${message}`))
  }
}

function countOf({ errors }: KnowledgeVerdict): string {
  return errors.length === 1 ? '1 error' : `${errors.length} errors`
}
