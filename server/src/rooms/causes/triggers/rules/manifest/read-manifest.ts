import { EVENT_KINDS } from '@signalbox/contracts/event'
import { ON_CONFLICT } from '@signalbox/contracts/runs'
import { DRAFT_RULES } from '@signalbox/contracts/triggers'
import {
  booleanOf,
  checkStructure,
  DEFAULT_LIMITS,
  type DocumentLanguage,
  type DocumentLimits,
  entriesOf,
  itemDirective,
  itemsOf,
  type Position,
  ProblemList,
  readSource,
  readText,
  type SourceNode,
  scalarTextOf,
  textOf,
} from '@signalbox/pipeline/document'
import type { TriggerDefinition } from '../trigger.ts'
import { validateTrigger } from '../validate-trigger.ts'
import { MAX_TRIGGERS, ManifestSchema, VERSION } from './schema.ts'
import { describeUnknownDirective } from './unknown-directive.ts'

/** An entry: a trigger without what its place decides. */
export type ManifestEntry = Omit<TriggerDefinition, 'teamPath' | 'sourceId' | 'repositories'>

/** A manifest that was read and is sound, but for what only its place can tell. */
export interface ReadManifest {
  readonly entries: readonly ManifestEntry[]
}

/** One thing that is wrong; line and column count from 1. `message` ends with what to write instead. */
export interface ManifestProblem {
  readonly line: number
  readonly column: number
  readonly directive: string
  readonly message: string
}

export type ManifestReading =
  | { readonly ok: true; readonly manifest: ReadManifest }
  | { readonly ok: false; readonly problems: readonly ManifestProblem[] }

const MAX_BYTES = 65_536

const limits: DocumentLimits = { ...DEFAULT_LIMITS, bytes: MAX_BYTES, depth: 10, nodes: 20_000 }

const language: DocumentLanguage = { schema: ManifestSchema, describeUnknown: describeUnknownDirective }

/** Reads `.signalbox/triggers.yaml`: the manifest, or every problem at once in the order of the text. Never throws. */
export function readManifest(text: string): ManifestReading {
  const problems = new ProblemList()
  const root = readRoot(text, problems)
  if (!root) return { ok: false, problems: problems.list() }
  checkStructure(language, root, problems)
  const version = entriesOf(root).get('version')
  if (version?.value.kind === 'scalar' && typeof version.value.value === 'number' && version.value.value !== VERSION) {
    const message = `manifests of version ${version.value.text} are not known: write version: ${VERSION}`
    problems.add('invalid_value', 'version', version.value, message)
  }
  const nodes = itemsOf(entriesOf(root).get('triggers')?.value).slice(0, MAX_TRIGGERS)
  const entries = nodes.flatMap((node, at) => readEntry(node, at, problems))
  checkNames(entries, problems)
  if (!problems.isEmpty) return { ok: false, problems: problems.list() }
  return { ok: true, manifest: { entries: entries.map(({ entry }) => entry) } }
}

function readRoot(text: string, problems: ProblemList): SourceNode | undefined {
  // Each character is a byte or more; the reader counts them exactly.
  if (text.length > MAX_BYTES) {
    const message = `the manifest has more than ${MAX_BYTES} bytes, which is the most: move triggers into the service`
    problems.add('too_large', '', { line: 1, column: 1 }, message)
    return undefined
  }
  const sound = readText(text, limits, problems)
  return sound === undefined ? undefined : readSource(sound, limits, problems)
}

interface PlacedEntry {
  readonly entry: ManifestEntry
  readonly directive: string
  readonly name: SourceNode | undefined
}

/** The schema has reported fields of a wrong shape; the other fields of the entry are still checked. */
function readEntry(node: SourceNode, at: number, problems: ProblemList): PlacedEntry[] {
  if (node.kind !== 'map') return []
  const fields = node.entries
  const value = (name: string) => fields.get(name)?.value
  const directive = itemDirective('triggers', at, textOf(value('name')))
  const lists = new Map(LISTS.map((name) => [name, itemsOf(value(name)).filter((item) => textOf(item) !== undefined)]))
  const list = (name: (typeof LISTS)[number]) => (lists.get(name) ?? []).map((item) => textOf(item) ?? '')
  const kinds = list('events')
  const concurrency = entriesOf(value('concurrency'))
  const group = textOf(concurrency.get('group')?.value)
  const onConflict = ON_CONFLICT.find((rule) => rule === textOf(concurrency.get('on_conflict')?.value))
  const variables = [...entriesOf(value('variables'))].flatMap(([name, entry]) => {
    const text = scalarTextOf(entry.value)
    return text === undefined ? [] : [{ name, text }]
  })
  const entry: ManifestEntry = {
    name: textOf(value('name')) ?? '',
    events: EVENT_KINDS.filter((kind) => kinds.includes(kind)),
    actions: list('actions'),
    branches: list('branches'),
    tags: list('tags'),
    paths: list('paths'),
    labels: list('labels'),
    draft: DRAFT_RULES.find((rule) => rule === textOf(value('draft'))) ?? 'any',
    commands: list('commands'),
    commenters: list('commenters'),
    skipCi: booleanOf(value('skip_ci')) ?? true,
    reportComment: booleanOf(value('report_comment')) ?? false,
    condition: textOf(value('if')) ?? null,
    pipeline: textOf(value('pipeline')) ?? '',
    scope: textOf(value('scope')) ?? '',
    variables: Object.fromEntries(variables.map(({ name, text }) => [name, text])),
    concurrency: group === undefined ? null : { group, onConflict: onConflict ?? 'queue' },
    enabled: booleanOf(value('enabled')) ?? true,
  }
  // An unknown kind of event is reported at its own position, and must not make other fields look useless.
  const known: readonly string[] = EVENT_KINDS
  const events = kinds.every((kind) => known.includes(kind)) ? entry.events : EVENT_KINDS
  const whole = { ...entry, events, teamPath: '', sourceId: null, repositories: [] }
  for (const { field, message, at: inside } of validateTrigger(whole)) {
    const position = inside ? withinText(value('if'), inside) : undefined
    const place = position ?? placeOf(field, fields, lists) ?? node
    problems.add('invalid_value', `${directive}.${field}`, place, message)
  }
  return [{ entry, directive, name: value('name') }]
}

const LISTS = ['events', 'actions', 'branches', 'tags', 'paths', 'labels', 'commands', 'commenters'] as const

type Fields = ReadonlyMap<string, { readonly key: Position; readonly value: SourceNode }>

/** Where a field stands: `branches.1` is the second entry of that list that is a text. */
function placeOf(
  field: string,
  fields: Fields,
  lists: ReadonlyMap<string, readonly SourceNode[]>,
): Position | undefined {
  const [name = '', rest] = field.split('.')
  if (rest === undefined) return fields.get(name)?.value
  const list = lists.get(name)
  if (list) return list[Number(rest)]
  return entriesOf(fields.get(name)?.value).get(rest)?.value ?? fields.get(name)?.value
}

/** The place inside an expression that stands in one line without quotes; else where it begins. */
function withinText(node: SourceNode | undefined, { line, column }: Position): Position | undefined {
  if (node?.kind !== 'scalar' || !node.plain || line !== 1 || node.text.includes('\n')) return node
  return { line: node.line, column: node.column + column - 1 }
}

function checkNames(entries: readonly PlacedEntry[], problems: ProblemList): void {
  const lines = new Map<string, number>()
  for (const { entry, directive, name } of entries) {
    if (!name || entry.name === '') continue
    const first = lines.get(entry.name)
    if (first === undefined) lines.set(entry.name, name.line)
    else {
      const message = `there is a trigger \`${entry.name}\` in line ${first} already: give this one another name`
      problems.add('duplicate_name', `${directive}.name`, name, message)
    }
  }
}
