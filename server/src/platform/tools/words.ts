import { OWN_WORDS } from '@signalbox/contracts/http'
import { entriesOf } from '@signalbox/contracts/http/requests'
import { isUuid } from '#platform/ids'
import { isInstant } from '#platform/time'

/** Known in this folder alone: nobody else reads the words of others. */
export const readWords = Symbol('read the words')

/**
 * A text of an answer, and whose it is. A tool hands it on and cannot look into it, unless it is ours: so no sentence
 * of a tool can quote what a commit, a log or a payload says.
 */
export class Words {
  readonly isOurs: boolean
  readonly #text: string

  constructor(text: string, isOurs: boolean) {
    this.#text = text
    this.isOurs = isOurs
  }

  [readWords](): string {
    return this.#text
  }

  /** Words are shown by `render` alone. */
  toJSON(): never {
    throw new Error('words are shown by render, not by JSON.stringify')
  }
}

/**
 * An answer of a route as a tool is told it: each text that is not one of a few known words is `Words`. So is an object
 * whose names others chose, such as the outputs of a run; names that are ours stay, where the contract marks the object.
 */
export type Told<T> = T extends string
  ? string extends T
    ? Words
    : T
  : T extends readonly (infer Item)[]
    ? readonly Told<Item>[]
    : T extends object
      ? string extends keyof T
        ? Words | ToldFields<T>
        : ToldFields<T>
      : T

type ToldFields<T> = { readonly [K in keyof T]: Told<T[K]> }

/** The text of words that are ours, to call a route with: an id, a path. Throws for the words of others. */
export function ownText(words: Words): string {
  if (words.isOurs) return words[readWords]()
  throw new Error('the words of others are shown, never read')
}

/** The lines of a text, to be quoted one by one: each has a limit of its own, and the middle of many is left out. */
export function linesOf(words: Words): readonly Words[] {
  return words[readWords]()
    .split(/\r\n|\n|\r/)
    .map((line) => new Words(line, words.isOurs))
}

type Fields = Readonly<Record<string, unknown>>
type Schema = Fields

/**
 * `value` as `schema` says whose words it holds. A text is ours where its schema is a list of words, an id, a time, or is
 * marked. What no schema describes is of others.
 */
export function tell(schema: unknown, value: unknown): unknown {
  return tellerOf(schema).tell(value)
}

/** A schema of contracts never changes, so what it says of texts is looked up once: an answer has thousands of values. */
const tellers = new WeakMap<object, Teller>()

function tellerOf(schema: unknown): Teller {
  if (!isFields(schema)) return NOTHING_KNOWN
  const known = tellers.get(schema)
  if (known) return known
  const made = new Teller(branchesOf(schema))
  tellers.set(schema, made)
  return made
}

/** Holds what stands beside the declared fields. */
const OTHER_FIELDS = 'other_fields'

/** Tells the values that may follow several schemas. Its parts are made when a value first needs them: schemas may be deep. */
class Teller {
  readonly #schemas: readonly Schema[]
  readonly #shaped: readonly Schema[]
  readonly #fields = new Map<string, Teller>()
  #words: ReadonlySet<unknown> | undefined
  #isOurs: ((text: string) => boolean) | undefined
  #items: Teller | 'unknown' | undefined
  #otherFields: Teller | 'unknown' | undefined

  constructor(schemas: readonly Schema[]) {
    this.#schemas = schemas
    this.#shaped = schemas.filter(isShaped)
  }

  tell(value: unknown): unknown {
    if (typeof value === 'string') return this.#tellText(value)
    if (isFields(value)) return this.#tellFields(value)
    return Array.isArray(value) ? this.#tellItems(value) : value
  }

  #tellText(text: string): string | Words {
    this.#words ??= wordsOf(this.#schemas)
    if (this.#words.has(text)) return text
    this.#isOurs ??= ownershipOf(this.#schemas)
    return new Words(text, this.#isOurs(text))
  }

  #tellItems(items: readonly unknown[]): unknown {
    this.#items ??= tellerOrUnknown(this.#schemas.flatMap(({ items: each }) => branchesOf(each)))
    const teller = this.#items
    return teller === 'unknown' ? new Words(JSON.stringify(items), false) : items.map((item) => teller.tell(item))
  }

  #tellFields(fields: Fields): unknown {
    // By assignment: an object of entries costs five times as much, and a log has a thousand fields.
    const told: Record<string, unknown> = {}
    const others: [string, unknown][] = []
    for (const name of Object.keys(fields)) {
      const item = fields[name]
      const teller = this.#fieldOf(name)
      if (teller === 'unknown') others.push([name, item])
      else told[name] = teller.tell(item)
    }
    if (others.length === 0) return told
    const rest = new Words(JSON.stringify(Object.fromEntries(others)), false)
    return Object.keys(told).length === 0 ? rest : { ...told, [OTHER_FIELDS]: rest }
  }

  /** `unknown`: no contract declares the name, so somebody chose it, and it can be a sentence. */
  #fieldOf(name: string): Teller | 'unknown' {
    // To assign it would set what the object inherits from.
    if (name === '__proto__') return 'unknown'
    const known = this.#fields.get(name)
    if (known) return known
    if (!this.#shaped.some((schema) => declares(schema, name))) {
      // Names that others chose are not kept: there is no end of them.
      this.#otherFields ??= this.#tellerOfOthers()
      return this.#otherFields
    }
    const made = new Teller(this.#shaped.flatMap((schema) => fieldOf(schema, name)))
    this.#fields.set(name, made)
    return made
  }

  #tellerOfOthers(): Teller | 'unknown' {
    const areOurs = this.#shaped.length > 0 && this.#shaped.every((schema) => schema[OWN_WORDS] === true)
    return areOurs ? new Teller(this.#shaped.flatMap(otherFieldsOf)) : 'unknown'
  }
}

const NOTHING_KNOWN = new Teller([])

function tellerOrUnknown(schemas: readonly Schema[]): Teller | 'unknown' {
  return schemas.length === 0 ? 'unknown' : new Teller(schemas)
}

function wordsOf(schemas: readonly Schema[]): ReadonlySet<unknown> {
  return new Set(
    schemas.flatMap(({ enum: words, const: word }): unknown[] => [...(Array.isArray(words) ? words : []), word]),
  )
}

/** A text is ours where each of the schemas that it may follow says so. */
function ownershipOf(schemas: readonly Schema[]): (text: string) => boolean {
  const texts = schemas.filter(
    ({ type = 'string', enum: words, const: word }) => type === 'string' && words === undefined && word === undefined,
  )
  const checks = texts.map(checkOf)
  return checks.length === 0 ? () => false : (text) => checks.every((check) => check(text))
}

/** A format is a promise of the contract, which nothing holds an answer to: the text must keep it. */
function checkOf(schema: Schema): (text: string) => boolean {
  if (schema[OWN_WORDS] === true) return () => true
  switch (schema['format']) {
    case 'uuid':
      return isUuid
    case 'date-time':
      return isInstant
    default:
      return () => false
  }
}

function isShaped(schema: Schema): boolean {
  return 'properties' in schema || 'patternProperties' in schema || isFields(schema['additionalProperties'])
}

function declares({ properties }: Schema, name: string): boolean {
  return isFields(properties) && Object.hasOwn(properties, name)
}

function fieldOf(schema: Schema, name: string): readonly Schema[] {
  const { properties } = schema
  return isFields(properties) && Object.hasOwn(properties, name) ? branchesOf(properties[name]) : otherFieldsOf(schema)
}

function otherFieldsOf({ patternProperties, additionalProperties }: Schema): readonly Schema[] {
  return [...entriesOf(patternProperties).map(([, each]) => each), additionalProperties].flatMap(branchesOf)
}

/** The schemas that a value may follow. */
function branchesOf(schema: unknown): Schema[] {
  if (!isFields(schema)) return []
  const { anyOf, allOf } = schema
  const parts = [anyOf, allOf].flatMap((each): unknown[] => (Array.isArray(each) ? each : []))
  return parts.length === 0 ? [schema] : parts.flatMap(branchesOf)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
