import { parseDuration } from '../duration.ts'
import type { Position } from '../problem.ts'
import {
  entriesOf,
  itemDirective,
  itemsOf,
  type SourceNode,
  type SourceScalar,
  scalarTextOf,
  textOf,
} from '../source-tree.ts'

/** A value with where it stands. */
export interface Placed<Value> extends Position {
  readonly value: Value
  readonly directive: string
}

/** A text that lies on one line of the document begins at this column; undefined where columns cannot be counted. */
export interface PlacedText extends Placed<string> {
  readonly firstColumn: number | undefined
}

/** Undefined where nothing stands. */
export function place<Value>(
  node: SourceNode | undefined,
  directive: string,
  read: (node: SourceNode) => Value | undefined,
): Placed<Value> | undefined {
  const value = node === undefined ? undefined : read(node)
  if (node === undefined || value === undefined) return undefined
  return { value, directive, line: node.line, column: node.column }
}

export function placedText(node: SourceNode | undefined, directive: string): Placed<string> | undefined {
  return place(node, directive, textOf)
}

/** A text in which a column can be named. */
export function placedProse(node: SourceNode | undefined, directive: string): PlacedText | undefined {
  const placed = placedText(node, directive)
  return placed && { ...placed, firstColumn: node?.kind === 'scalar' ? columnOfText(node) : undefined }
}

/** Names and values of a map. */
export function placedValues(
  node: SourceNode | undefined,
  directive: string,
  read: (value: SourceNode) => string | undefined = scalarTextOf,
): ReadonlyMap<string, Placed<string>> {
  if (node === undefined) return NO_VALUES
  const values = new Map<string, Placed<string>>()
  for (const [name, entry] of entriesOf(node)) {
    const placed = place(entry.value, `${directive}.${name}`, read)
    if (placed !== undefined) values.set(name, placed)
  }
  return values
}

const NO_VALUES: ReadonlyMap<string, Placed<string>> = new Map()

/** The texts of a list; `directive` stands for each of them. */
export function placedTexts(
  node: SourceNode | undefined,
  directive: string,
  read: (value: SourceNode) => string | undefined = textOf,
): Placed<string>[] {
  return itemsOf(node).flatMap((item) => place(item, directive, read) ?? [])
}

/** The items of a list with their directives: `steps.build` for a named item. */
export function listOf(node: SourceNode | undefined, directive: string): [SourceNode, string][] {
  return itemsOf(node).map((item, at) => [
    item,
    itemDirective(directive, at, textOf(entriesOf(item).get('name')?.value)),
  ])
}

/** Plain text begins where its node does. Quotes and blocks move and escape characters: not counted. */
function columnOfText(node: SourceScalar): number | undefined {
  return node.plain && !node.text.includes('\n') ? node.column : undefined
}

/** The milliseconds of a duration, or undefined for a duration that has been reported. */
export function millisecondsOf(duration: Placed<string> | undefined, longestMs?: number): number | undefined {
  return duration === undefined ? undefined : parseDuration(duration.value, longestMs)
}
