import { MAX_REASON, OverrideDocument } from '@signalbox/contracts/overrides'
import {
  DEFAULT_LIMITS,
  nearest,
  type Position,
  ProblemList,
  readSource,
  readText,
  type SourceEntry,
  type SourceMap,
  type SourceNode,
} from '@signalbox/pipeline/document'
import { Compile } from 'typebox/compile'
import { isInstant } from '#platform/time'

/** One entry of `errors` or `warnings`; line and column count from 1. */
export interface DocumentFault extends Position {
  /** Empty: the document as a whole. */
  readonly field: string
  readonly message: string
}

export interface Placed<T> extends Position {
  readonly value: T
}

/** The fields that are sound; each wrong field is left out and has a fault. */
export interface ReadDocument {
  readonly faults: readonly DocumentFault[]
  /** The position of faults about missing fields. */
  readonly start: Position
  readonly pipeline: Placed<string> | undefined
  /** Null: the document names none. */
  readonly scope: Placed<string> | null | undefined
  readonly expiresAt: Placed<Date> | undefined
}

/** A document is one flat map; far more than that is no document. */
export const MAX_DOCUMENT_BYTES = 65_536
const LIMITS = { ...DEFAULT_LIMITS, bytes: MAX_DOCUMENT_BYTES, depth: 20, nodes: 1000 }
const TOP: Position = { line: 1, column: 1 }

const FIELDS = Object.keys(OverrideDocument.properties)
const isPipeline = Compile(OverrideDocument.properties.pipeline)
const isScope = Compile(OverrideDocument.properties.scope)

/** The YAML of an override. Never throws, whatever the bytes; everything that is wrong is said at once. */
export function readDocument(bytes: Uint8Array): ReadDocument {
  const problems = new ProblemList()
  const text = bytes.length > MAX_DOCUMENT_BYTES ? tooLarge(problems) : readText(bytes, LIMITS, problems)
  const root = text === undefined ? undefined : readSource(text, LIMITS, problems)
  if (root?.kind !== 'map') {
    if (root && problems.isEmpty) reportNoMap(root, problems)
    return {
      faults: toFaults(problems),
      start: root ?? TOP,
      pipeline: undefined,
      scope: undefined,
      expiresAt: undefined,
    }
  }
  reportUnknown(root, problems)
  const pipeline = readPipeline(root, problems)
  const scope = readScope(root, problems)
  const expiresAt = readExpiry(root, problems)
  checkReason(root, problems)
  return { faults: toFaults(problems), start: root, pipeline, scope, expiresAt }
}

/** The first of each place: a value that cannot be read is wrong in other ways too, which tell nobody anything. */
function toFaults(problems: ProblemList): DocumentFault[] {
  const firsts = new Map<string, DocumentFault>()
  for (const { directive: field, message, line, column } of problems.list()) {
    const place = `${line}:${column} ${field}`
    if (!firsts.has(place)) firsts.set(place, { field, message, line, column })
  }
  return [...firsts.values()]
}

function tooLarge(problems: ProblemList): undefined {
  problems.add('too_large', '', TOP, `an override has at most ${MAX_DOCUMENT_BYTES} bytes`)
  return undefined
}

function reportNoMap(root: SourceNode, problems: ProblemList): void {
  const isEmpty = root.kind === 'scalar' && root.value === null && root.text === ''
  const what = isEmpty ? 'the document is empty' : 'the document must be a map'
  problems.add('wrong_type', '', root, `${what}: write \`pipeline: <team path>/<name>\``)
}

function reportUnknown(root: SourceMap, problems: ProblemList): void {
  for (const [name, { key }] of root.entries) {
    if (FIELDS.includes(name)) continue
    const near = nearest(name, FIELDS)
    const hint = near === undefined ? 'leave it out' : `did you mean \`${near}\`?`
    problems.add('unknown_directive', name, key, `is not a known field: ${hint}`)
  }
}

interface Form {
  readonly fits: (text: string) => boolean
  /** How to write it. */
  readonly hint: string
}

const PIPELINE_FORM: Form = {
  fits: (text) => isPipeline.Check(text),
  hint: 'write <team path>/<name>, such as acme/web/build',
}

const SCOPE_FORM: Form = {
  fits: (text) => isScope.Check(text),
  hint: 'write <team path>/<environment>, such as acme/web/production',
}

function readPipeline(root: SourceMap, problems: ProblemList): Placed<string> | undefined {
  const node = root.entries.get('pipeline')?.value
  if (!node) {
    problems.add('missing_directive', 'pipeline', root, `is required: ${PIPELINE_FORM.hint}`)
    return undefined
  }
  return readName('pipeline', node, PIPELINE_FORM, problems)
}

function readScope(root: SourceMap, problems: ProblemList): Placed<string> | null | undefined {
  const node = root.entries.get('scope')?.value
  if (!node) return null
  return readName('scope', node, SCOPE_FORM, problems)
}

function readName(
  field: string,
  node: SourceNode,
  { fits, hint }: Form,
  problems: ProblemList,
): Placed<string> | undefined {
  const text = readString(field, node, problems, hint)
  if (text === undefined) return undefined
  if (fits(text)) return { value: text, line: node.line, column: node.column }
  problems.add('invalid_value', field, node, `is not of that form: ${hint}`)
  return undefined
}

function readExpiry(root: SourceMap, problems: ProblemList): Placed<Date> | undefined {
  const node = optional(root.entries.get('expires_at'))
  if (!node) return undefined
  const hint = 'write a time with its offset, such as 2027-01-01T00:00:00Z'
  const text = readString('expires_at', node, problems, hint)
  if (text === undefined) return undefined
  if (isInstant(text)) return { value: new Date(text), line: node.line, column: node.column }
  problems.add('invalid_value', 'expires_at', node, `is not RFC 3339: ${hint}`)
  return undefined
}

function checkReason(root: SourceMap, problems: ProblemList): void {
  const node = optional(root.entries.get('reason'))
  const text = node && readString('reason', node, problems, 'put it in quotes')
  if (node && text !== undefined && Array.from(text).length > MAX_REASON) {
    problems.add('invalid_value', 'reason', node, `is longer than ${MAX_REASON} characters`)
  }
}

/** The value of a field that may be null; undefined where it is, or is not there. */
function optional(entry: SourceEntry | undefined): SourceNode | undefined {
  const node = entry?.value
  return node?.kind === 'scalar' && node.value === null && /^(|~|null)$/i.test(node.text) ? undefined : node
}

function readString(field: string, node: SourceNode, problems: ProblemList, hint: string): string | undefined {
  if (node.kind === 'scalar' && typeof node.value === 'string') return node.value
  const found = node.kind === 'scalar' ? (node.value === null ? 'empty' : `a ${typeof node.value}`) : `a ${node.kind}`
  problems.add('wrong_type', field, node, `must be a text but is ${found}: ${hint}`)
  return undefined
}
