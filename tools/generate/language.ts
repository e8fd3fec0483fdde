import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipelineJsonSchema } from '../../pipeline/src/document/index.ts'
import { RUN_NAMES, TASK_VARIABLES } from '../../pipeline/src/facts/index.ts'
import type { Generator } from './generator.ts'
import { writeOutput } from './write.ts'

const OUTPUT = 'docs/pipelines/language.md'

/**
 * Writes the tables in the page of the language. Directives come out of the schema that validates documents, names out
 * of the facts that a run tells its conditions and tasks. The prose around is written by hand: each table lies between
 * two marks, `<!-- directives: approval -->` and `<!-- end -->`.
 */
export const language: Generator = {
  name: 'tables of the language',
  outputs: [OUTPUT],
  async run(into, { root }) {
    const page = await readFile(join(root, OUTPUT), 'utf8')
    await writeOutput(into, OUTPUT, fillTables(page, new Map([...tablesOf(pipelineJsonSchema()), ...tablesOfNames()])))
  },
}

const block = /<!-- (directives|names): ([a-z_ ]+) -->\n[\s\S]*?<!-- end -->/g

/** The page with every table made anew. Throws where the page asks for an unknown table, or leaves one out. */
export function fillTables(page: string, tables: ReadonlyMap<string, string>): string {
  const left = new Set(tables.keys())
  const filled = page.replaceAll(block, (_, kind: string, name: string) => {
    const table = tables.get(name)
    if (table === undefined) throw new Error(`${OUTPUT} asks for the ${kind} of ${name}, which nothing has`)
    left.delete(name)
    return `<!-- ${kind}: ${name} -->\n\n${table}\n<!-- end -->`
  })
  if (left.size > 0) throw new Error(`${OUTPUT} has no table of ${[...left].join(', ')}: add its marks`)
  return filled
}

type Schema = Readonly<Record<string, unknown>>

/** A table for the document, and for each directive that is a map with directives of its own. */
export function tablesOf(schema: Schema): ReadonlyMap<string, string> {
  const tables = new Map<string, string>()
  const pending: [string, Schema][] = [['pipeline', schema]]
  for (const [name, of] of pending) {
    tables.set(name, tableOf(of))
    for (const [directive, property] of propertiesOf(of)) {
      const inner = innerOf(property)
      if (propertiesOf(inner).length > 0) pending.push([names.get(directive) ?? directive, inner])
    }
  }
  return tables
}

/** The names that conditions see as `run`, and that every task finds in its environment. */
export function tablesOfNames(): [string, string][] {
  const row = (name: string, meaning: string) => [`\`${name}\``, meaning]
  return [
    ['run', align([['Name', 'Meaning'], ...RUN_NAMES.map(({ name, meaning }) => row(`run.${name}`, meaning))])],
    ['task variables', align([['Name', 'Meaning'], ...TASK_VARIABLES.map(({ name, meaning }) => row(name, meaning))])],
  ]
}

/** The singular name of a list's item. */
const names: ReadonlyMap<string, string> = new Map([
  ['steps', 'step'],
  ['tasks', 'task'],
  ['final_outputs', 'final output'],
  ['services', 'service'],
  ['fields', 'field'],
])

function tableOf(schema: Schema): string {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const rows = propertiesOf(schema).map(([name, property]) => [
    `\`${name}\``,
    `${valueOf(property)}${required.includes(name) ? ', required' : ''}`,
    String(property['description'] ?? ''),
  ])
  const further = recordOf(schema['additionalProperties'])
  if (further !== undefined) rows.push(['any other name', valueOf(further), String(further['description'] ?? '')])
  return align([
    ['Directive', 'Value', 'Meaning'],
    ...rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|'))),
  ])
}

/** Aligns tables like the formatter. */
function align([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((cells) => cells[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('')
}

/** The values that may stand behind a directive, in words. */
function valueOf(schema: Schema): string {
  const { type, enum: choices, pattern, minimum, maximum, items, anyOf } = schema
  if (Array.isArray(choices)) return choices.map((choice) => `\`${choice}\``).join(', ')
  if (Array.isArray(anyOf)) {
    const members: readonly unknown[] = anyOf
    const [first = none, second = none] = members.map((member) => recordOf(member))
    if (first['type'] === 'string') return 'text'
    return first['type'] === 'boolean' && second['type'] !== 'number'
      ? `\`true\`, \`false\` or ${valueOf(second)}`
      : valueOf(first)
  }
  if (typeof pattern === 'string' && pattern.includes('\\d{1,6}d')) return 'duration'
  switch (type) {
    case 'boolean':
      return '`true` or `false`'
    case 'integer':
    case 'number': {
      const kind = type === 'integer' ? 'whole number' : 'number'
      return minimum === undefined ? kind : `${kind} from ${minimum} to ${maximum}`
    }
    case 'array':
      return listOf(recordOf(items) ?? {})
    case 'object':
      return propertiesOf(schema).length > 0 ? 'directives' : 'names and values'
    default:
      return 'text'
  }
}

const none: Schema = {}

function listOf(items: Schema): string {
  if (items['type'] === 'object')
    return propertiesOf(items).length > 0 ? 'list of directives' : 'list of names and values'
  return items['type'] === 'integer' ? 'list of numbers' : 'list of texts'
}

/** The schema of the map behind a directive, or of each map in its list. */
function innerOf(schema: Schema): Schema {
  const members: readonly unknown[] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : []
  // A switch that may have options instead, such as `checkout`.
  if (recordOf(members[0])?.['type'] === 'boolean') return recordOf(members[1]) ?? {}
  return schema['type'] === 'array' ? (recordOf(schema['items']) ?? {}) : schema
}

function propertiesOf(schema: Schema): [string, Schema][] {
  return Object.entries(recordOf(schema['properties']) ?? {}).flatMap(([name, property]) => {
    const found = recordOf(property)
    return found === undefined ? [] : [[name, found]]
  })
}

function recordOf(value: unknown): Schema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined
}
