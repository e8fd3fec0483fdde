import { type TaskAction, type TaskType, taskTypes } from '../tasks/index.ts'
import { parseDuration } from './duration.ts'
import type { Position } from './problem.ts'
import {
  booleanOf,
  entriesOf,
  integerOf,
  itemDirective,
  itemsOf,
  type SourceNode,
  type SourceScalar,
  scalarTextOf,
  textOf,
} from './source-tree.ts'

/** A value with where it stands. */
export interface Placed<Value> extends Position {
  readonly value: Value
  readonly directive: string
}

/** A text that lies on one line of the document begins at this column; undefined where columns cannot be counted. */
export interface PlacedText extends Placed<string> {
  readonly firstColumn: number | undefined
}

/** What steps and tasks have in common. A part that is absent or malformed is undefined (and reported elsewhere). */
export interface NodeOutline extends Position {
  readonly directive: string
  readonly name: Placed<string> | undefined
  readonly dependsOn: readonly Placed<string>[]
  readonly condition: PlacedText | undefined
  readonly timeout: Placed<string> | undefined
  readonly ignoreFailure: boolean
}

export interface TaskOutline extends NodeOutline {
  /** The directives that make it one kind of task or another: exactly one, in a sound document. */
  readonly types: readonly TaskType[]
  readonly action: TaskAction | undefined
  readonly env: ReadonlyMap<string, Placed<string>>
  readonly outputs: ReadonlyMap<string, { readonly sensitive: boolean }>
  readonly retry: { readonly attempts: number; readonly backoff: Placed<string> | undefined } | undefined
  readonly idempotent: boolean
  readonly checkout: boolean | undefined
  readonly script: Placed<string> | undefined
}

export interface StepOutline extends NodeOutline {
  readonly tasks: readonly TaskOutline[]
}

/** The document as far as it can be read: later checks look at every part that is sound on its own. */
export interface Outline {
  readonly name: Placed<string> | undefined
  readonly variables: ReadonlyMap<string, Placed<string>>
  readonly secrets: ReadonlyMap<string, Placed<string>>
  readonly profile: Placed<string> | undefined
  readonly timeout: Placed<string> | undefined
  readonly checkout: boolean
  readonly steps: readonly StepOutline[]
}

export function readOutline(root: SourceNode): Outline {
  const entries = entriesOf(root)
  const at = (name: string) => entries.get(name)?.value
  return {
    name: placedText(at('name'), 'name'),
    variables: placedValues(at('variables'), 'variables', scalarTextOf),
    secrets: placedValues(at('secrets'), 'secrets', textOf),
    profile: placedText(at('profile'), 'profile'),
    timeout: placedText(at('timeout'), 'timeout'),
    checkout: booleanOf(at('checkout')) ?? true,
    steps: listOf(at('steps'), 'steps').map(([node, directive]) => ({
      ...readNode(node, directive),
      tasks: listOf(entriesOf(node).get('tasks')?.value, `${directive}.tasks`).map(([task, path]) =>
        readTask(task, path),
      ),
    })),
  }
}

function readTask(node: SourceNode, directive: string): TaskOutline {
  const entries = entriesOf(node)
  const at = (name: string) => entries.get(name)?.value
  const types = taskTypes.filter((type) => entries.has(type.directive))
  const attempts = integerOf(entriesOf(at('retry')).get('attempts')?.value)
  const backoff = placedText(entriesOf(at('retry')).get('backoff')?.value, `${directive}.retry.backoff`)
  return {
    ...readNode(node, directive),
    types,
    action: types[0]?.readAction({ text: (name) => textOf(at(name)) }),
    env: placedValues(at('env'), `${directive}.env`, scalarTextOf),
    outputs: new Map(
      [...entriesOf(at('outputs'))].map(([name, entry]) => {
        const sensitive = booleanOf(entriesOf(entry.value).get('sensitive')?.value) ?? false
        return [name, { sensitive }]
      }),
    ),
    retry: attempts === undefined ? undefined : { attempts, backoff },
    idempotent: booleanOf(at('idempotent')) ?? false,
    checkout: booleanOf(at('checkout')),
    script: placedText(at('run'), `${directive}.run`),
  }
}

function readNode(node: SourceNode, directive: string): NodeOutline {
  const entries = entriesOf(node)
  const at = (name: string) => entries.get(name)?.value
  const condition = placedText(at('if'), `${directive}.if`)
  return {
    directive,
    line: node.line,
    column: node.column,
    name: placedText(at('name'), `${directive}.name`),
    dependsOn: itemsOf(at('depends_on')).flatMap((item) => placedText(item, `${directive}.depends_on`) ?? []),
    condition: condition && { ...condition, firstColumn: firstColumn(at('if')) },
    timeout: placedText(at('timeout'), `${directive}.timeout`),
    ignoreFailure: booleanOf(at('ignore_failure')) ?? false,
  }
}

function listOf(node: SourceNode | undefined, directive: string): [SourceNode, string][] {
  return itemsOf(node).map((item, at) => [
    item,
    itemDirective(directive, at, textOf(entriesOf(item).get('name')?.value)),
  ])
}

function placedText(node: SourceNode | undefined, directive: string): Placed<string> | undefined {
  const value = textOf(node)
  return node === undefined || value === undefined
    ? undefined
    : { value, directive, line: node.line, column: node.column }
}

function placedValues(
  node: SourceNode | undefined,
  directive: string,
  read: (value: SourceNode) => string | undefined,
): Map<string, Placed<string>> {
  const values = new Map<string, Placed<string>>()
  for (const [name, entry] of entriesOf(node)) {
    const value = read(entry.value)
    const { line, column } = entry.value
    if (value !== undefined) values.set(name, { value, directive: `${directive}.${name}`, line, column })
  }
  return values
}

function firstColumn(node: SourceNode | undefined): number | undefined {
  if (node?.kind !== 'scalar') return undefined
  return columnOfText(node)
}

/** Plain text begins where its node does. Quotes and blocks move and escape characters: not counted. */
function columnOfText(node: SourceScalar): number | undefined {
  return node.plain && !node.text.includes('\n') ? node.column : undefined
}

/** The milliseconds of a duration, or undefined for one that has been reported. */
export function millisecondsOf(duration: Placed<string> | undefined): number | undefined {
  return duration === undefined ? undefined : parseDuration(duration.value)
}
