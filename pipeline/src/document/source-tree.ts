import type { Position } from './problem.ts'

/** The document as plain maps, lists and scalars that know where they stand. Aliases are replaced by their targets. */
export type SourceNode = SourceMap | SourceList | SourceScalar

export interface SourceMap extends Position {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<string, SourceEntry>
}

export interface SourceEntry {
  readonly key: Position
  readonly value: SourceNode
}

export interface SourceList extends Position {
  readonly kind: 'list'
  readonly items: readonly SourceNode[]
}

export interface SourceScalar extends Position {
  readonly kind: 'scalar'
  readonly value: string | number | boolean | null
  /** The text as written, so that 1.10 stays 1.10. */
  readonly text: string
  /** Where the characters of a plain one-line value stand, so that a column inside it can be named. */
  readonly plain: boolean
}

/** The text of a string scalar. */
export function textOf(node: SourceNode | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
}

/** The text of any scalar but null: `8080` and `true` count as written. */
export function scalarTextOf(node: SourceNode | undefined): string | undefined {
  return node?.kind === 'scalar' && node.value !== null ? node.text : undefined
}

export function booleanOf(node: SourceNode | undefined): boolean | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'boolean' ? node.value : undefined
}

export function integerOf(node: SourceNode | undefined): number | undefined {
  return node?.kind === 'scalar' && Number.isSafeInteger(node.value) ? Number(node.value) : undefined
}

export function numberOf(node: SourceNode | undefined): number | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'number' && Number.isFinite(node.value)
    ? node.value
    : undefined
}

export function itemsOf(node: SourceNode | undefined): readonly SourceNode[] {
  return node?.kind === 'list' ? node.items : []
}

export function entriesOf(node: SourceNode | undefined): ReadonlyMap<string, SourceEntry> {
  return node?.kind === 'map' ? node.entries : NO_ENTRIES
}

const NO_ENTRIES: ReadonlyMap<string, SourceEntry> = new Map()

/** `steps.build` for an item that has a usable name, `steps[0]` for any other. */
export function itemDirective(list: string, at: number, name: unknown): string {
  return typeof name === 'string' && /^[\w-]{1,63}$/.test(name) ? `${list}.${name}` : `${list}[${at}]`
}
