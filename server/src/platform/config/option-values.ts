import { OPTIONS, type Option, type OptionName } from './options.ts'
import type { OptionValue } from './parse-value.ts'

/** `lease_seconds` as `leaseSeconds`. */
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

interface ValueOfType {
  readonly string: string
  readonly integer: number
  readonly boolean: boolean
  readonly bytes: number
  readonly url: string
  readonly list: readonly string[]
  readonly entries: readonly unknown[]
  readonly level: string
}

/** An empty text is no value, and an empty list is one. */
type ValueOf<O extends Option> = O extends { readonly type: 'list' | 'entries' }
  ? ValueOfType[O['type']]
  : O extends { readonly default: infer Default }
    ? Default extends ''
      ? ValueOfType[O['type']] | undefined
      : ValueOfType[O['type']]
    : ValueOfType[O['type']] | undefined

/** The value of each option, by its name in the code. */
export type OptionValues = { readonly [Name in OptionName as Camel<Name>]: ValueOf<(typeof OPTIONS)[Name]> }

export function readValues(
  settings: readonly { readonly name: OptionName; readonly value: OptionValue | undefined }[],
): OptionValues {
  const values = Object.fromEntries(settings.map(({ name, value }) => [camelOf(name), value]))
  if (!areWhole(values)) throw new Error('An option has a value that its type does not allow')
  return values
}

function camelOf(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** A list without a value is empty. */
export function isList({ type }: Option): boolean {
  return type === 'list' || type === 'entries'
}

function areWhole(values: object): values is OptionValues {
  const held = new Map<string, unknown>(Object.entries(values))
  return Object.entries(OPTIONS).every(([name, option]: [string, Option]) => {
    const value = held.get(camelOf(name))
    const mayLack = !isList(option) && (option.default === undefined || option.default === '')
    return value === undefined ? mayLack : isOfType(option.type, value)
  })
}

function isOfType(type: Option['type'], value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'url':
    case 'level':
      return typeof value === 'string'
    case 'integer':
    case 'bytes':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'list':
    case 'entries':
      return Array.isArray(value)
  }
}
