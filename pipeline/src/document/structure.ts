import { type TObject, type TSchema, Type } from 'typebox'
import type { Position, ProblemList } from './problem.ts'
import { shorten } from './shorten.ts'
import { itemDirective, type SourceMap, type SourceNode, textOf } from './source-tree.ts'

/**
 * The language of a kind of document. Supported parts of the schema: objects, records, lists, texts (with a pattern),
 * numbers, true and false, and unions of them. Other keywords are for editors.
 */
export interface DocumentLanguage {
  readonly schema: TSchema
  /** The sentence for a directive that is not known where it stands. */
  describeUnknown(name: string, known: readonly string[]): string
}

/** Holds a document against its schema and reports everything that does not fit. */
export function checkStructure(language: DocumentLanguage, root: SourceNode, problems: ProblemList): void {
  check(language.schema, root, '', { language, problems })
}

interface Check {
  readonly language: DocumentLanguage
  readonly problems: ProblemList
}

function check(schema: TSchema, node: SourceNode, directive: string, context: Check): void {
  const { problems } = context
  if (Type.IsUnion(schema)) {
    const member = schema.anyOf.find((candidate) => fits(candidate, node))
    if (member === undefined)
      reportType(schema, { wanted: expected(schema.anyOf[0] ?? schema), directive }, node, problems)
    else check(member, node, directive, context)
  } else if (!fits(schema, node)) {
    reportType(schema, { wanted: expected(schema), directive }, node, problems)
  } else if (Type.IsRecord(schema)) {
    if (node.kind === 'map') checkRecord(schema, node, directive, context)
  } else if (Type.IsObject(schema)) {
    if (node.kind === 'map') checkObject(schema, node, directive, context)
  } else if (Type.IsArray(schema)) {
    if (node.kind !== 'list') return
    if (node.items.length < (numberAt(schema, 'minItems') ?? 0)) reportValue(schema, node, directive, problems)
    const most = numberAt(schema, 'maxItems') ?? Infinity
    if (node.items.length > most) {
      const message = `${lastPart(directive)} has ${node.items.length} entries; at most ${most} are allowed: remove some`
      problems.add('invalid_value', directive, node, message)
    }
    for (const [at, item] of node.items.entries()) {
      const name = item.kind === 'map' ? textOf(item.entries.get('name')?.value) : undefined
      check(schema.items, item, itemDirective(directive, at, name), context)
    }
  } else if (node.kind === 'scalar') checkScalar(schema, node, directive, problems)
}

function checkObject(schema: TObject, node: SourceMap, directive: string, context: Check): void {
  const { language, problems } = context
  const further = furtherOf(schema)
  for (const [name, { key, value }] of node.entries) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (property !== undefined) check(property, value, join(directive, name), context)
    else if (further !== undefined) {
      if (further.names.test(name)) check(further.schema, value, join(directive, shorten(name)), context)
      else
        reportName(schema, further.names.source, { name, directive: join(directive, shorten(name)), at: key }, problems)
    } else
      problems.add(
        'unknown_directive',
        join(directive, shorten(name)),
        key,
        language.describeUnknown(shorten(name), Object.keys(schema.properties)),
      )
  }
  for (const [name, property] of propertiesOf(schema)) {
    if (node.entries.has(name) || Type.IsOptional(property)) continue
    const hint = textAt(property, 'patternErrorMessage') ?? textAt(property, 'errorMessage')
    const message = `\`${name}\` is missing${hint === undefined ? '' : `: ${hint}`}`
    problems.add('missing_directive', join(directive, name), node, message)
  }
}

function checkRecord(schema: TSchema, node: SourceMap, directive: string, context: Check): void {
  const { problems } = context
  if (!Type.IsRecord(schema)) return
  for (const [pattern, value] of Object.entries(schema.patternProperties)) {
    const accepts = compiled(pattern)
    for (const [name, entry] of node.entries) {
      const path = join(directive, shorten(name))
      if (accepts.test(name)) check(value, entry.value, path, context)
      else reportName(schema, pattern, { name, directive: path, at: entry.key }, problems)
    }
  }
}

/**
 * The further names of an object, beside its own directives: `additionalProperties` whose names fit `propertyNames`.
 */
function furtherOf(schema: TObject): { readonly schema: TSchema; readonly names: RegExp } | undefined {
  const additionalProperties = keywordAt(schema, 'additionalProperties')
  const propertyNames = keywordAt(schema, 'propertyNames')
  if (!Type.IsSchema(additionalProperties) || typeof additionalProperties === 'boolean') return undefined
  return { schema: additionalProperties, names: compiled(textAt(Object(propertyNames), 'pattern') ?? '') }
}

function reportName(
  schema: TSchema,
  pattern: string,
  { name, directive, at }: { readonly name: string; readonly directive: string; readonly at: Position },
  problems: ProblemList,
): void {
  const hint = textAt(schema, 'keyErrorMessage') ?? `it must match ${pattern}`
  problems.add('invalid_name', directive, at, `${JSON.stringify(shorten(name))} cannot be a name here: ${hint}`)
}

function checkScalar(schema: TSchema, node: SourceNode, directive: string, problems: ProblemList): void {
  if (node.kind !== 'scalar') return
  if (Type.IsString(schema) && typeof node.value === 'string') {
    const pattern = textAt(schema, 'pattern')
    if (pattern !== undefined && !compiled(pattern).test(node.value)) {
      reportValue(schema, node, directive, problems)
      return
    }
    const most = numberAt(schema, 'maxLength') ?? Infinity
    if (node.value.length > most) {
      const message = `${lastPart(directive)} has ${node.value.length} characters; at most ${most} are allowed: shorten it`
      problems.add('invalid_value', directive, node, message)
    }
  } else if ((Type.IsInteger(schema) || Type.IsNumber(schema)) && typeof node.value === 'number') {
    const minimum = numberAt(schema, 'minimum')
    const maximum = numberAt(schema, 'maximum')
    if (minimum === undefined || maximum === undefined) return
    if (!(node.value >= minimum && node.value <= maximum)) {
      const kind = Type.IsInteger(schema) ? 'a whole number' : 'a number'
      const message = `${lastPart(directive)} is ${shorten(node.text)}: write ${kind} from ${minimum} to ${maximum}`
      problems.add('invalid_value', directive, node, message)
    }
  }
}

function fits(schema: TSchema, node: SourceNode): boolean {
  if (Type.IsObject(schema) || Type.IsRecord(schema)) return node.kind === 'map'
  if (Type.IsArray(schema)) return node.kind === 'list'
  if (node.kind !== 'scalar') return false
  if (Type.IsString(schema)) return typeof node.value === 'string'
  if (Type.IsBoolean(schema)) return typeof node.value === 'boolean'
  if (Type.IsInteger(schema)) return Number.isSafeInteger(node.value)
  if (Type.IsNumber(schema)) return typeof node.value === 'number'
  if (Type.IsNull(schema)) return node.value === null
  return false
}

function expected(schema: TSchema): string {
  if (Type.IsArray(schema)) return 'a list'
  if (Type.IsObject(schema) || Type.IsRecord(schema)) return 'a map'
  if (Type.IsBoolean(schema)) return 'true or false'
  if (Type.IsInteger(schema)) return 'a whole number'
  if (Type.IsNumber(schema)) return 'a number'
  return 'a text'
}

function found(node: SourceNode): string {
  if (node.kind === 'map') return 'a map'
  if (node.kind === 'list') return 'a list'
  if (node.value === null) return 'empty'
  return typeof node.value === 'string'
    ? `the text ${JSON.stringify(shorten(node.value))}`
    : `the ${typeof node.value} ${shorten(node.text)}`
}

function reportType(
  schema: TSchema,
  { wanted, directive }: { readonly wanted: string; readonly directive: string },
  node: SourceNode,
  problems: ProblemList,
): void {
  const quoted = wanted === 'a text' && node.kind === 'scalar' && node.value !== null
  const hint =
    textAt(schema, 'errorMessage') ??
    (quoted ? `put it in quotes, "${shorten(node.text)}"` : textAt(schema, 'patternErrorMessage')) ??
    `write ${wanted}`
  problems.add('wrong_type', directive, node, `${lastPart(directive)} must be ${wanted} but is ${found(node)}: ${hint}`)
}

function reportValue(schema: TSchema, node: SourceNode, directive: string, problems: ProblemList): void {
  const hint = textAt(schema, 'patternErrorMessage') ?? textAt(schema, 'errorMessage') ?? 'write something else'
  const value = node.kind === 'scalar' ? JSON.stringify(shorten(node.text)) : 'empty'
  problems.add('invalid_value', directive, node, `${lastPart(directive)} cannot be ${value}: ${hint}`)
}

function textAt(schema: TSchema, keyword: string): string | undefined {
  const hint = keywordAt(schema, keyword)
  return typeof hint === 'string' ? hint : undefined
}

function numberAt(schema: TSchema, keyword: string): number | undefined {
  const value = keywordAt(schema, keyword)
  return typeof value === 'number' ? value : undefined
}

/** By schema, of which there are few: a large document asks for them 100,000 times. */
const keywords = new WeakMap<TSchema, ReadonlyMap<string, unknown>>()

function keywordAt(schema: TSchema, keyword: string): unknown {
  let known = keywords.get(schema)
  if (known === undefined) {
    known = new Map(Object.entries(schema))
    keywords.set(schema, known)
  }
  return known.get(keyword)
}

const properties = new WeakMap<TObject, readonly [string, TSchema][]>()

function propertiesOf(schema: TObject): readonly [string, TSchema][] {
  const known = properties.get(schema) ?? Object.entries(schema.properties)
  properties.set(schema, known)
  return known
}

function join(directive: string, name: string): string {
  return directive === '' ? name : `${directive}.${name}`
}

function lastPart(directive: string): string {
  return directive === '' ? 'the document' : `\`${directive.slice(directive.lastIndexOf('.') + 1)}\``
}

/** The schema's few patterns, each compiled once: a large document asks for them 10,000 times. */
const patterns = new Map<string, RegExp>()

function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern) ?? new RegExp(pattern)
  patterns.set(pattern, known)
  return known
}
