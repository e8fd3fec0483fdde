import fc from 'fast-check'
import type { Schema } from '../house/open-api.ts'
import { hostileValue } from './hostile.ts'

/** Values that a field of this name is known to accept, such as the path of a team that is there. */
export type KnownValues = ReadonlyMap<string, readonly unknown[]>

/** Values that meet `schema`; a field that `known` names has one of those more often than not. */
export function valueOf(schema: Schema, known: KnownValues, name = ''): fc.Arbitrary<unknown> {
  const made = make(schema, known)
  const there = known.get(name)
  if (!there || there.length === 0) return made
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...there) }, { weight: 1, arbitrary: made })
}

function make(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => make(option, known)))
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
    case 'number':
      return fc.integer({ min: Math.ceil(schema.minimum ?? -5), max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const minLength = schema.minItems ?? 0
      const maxLength = Math.max(minLength, Math.min(schema.maxItems ?? 3, 3))
      return fc.uniqueArray(valueOf(schema.items ?? {}, known), { minLength, maxLength, selector: JSON.stringify })
    }
    case 'object':
      return record(schema, known)
    default:
      return fc.constantFrom(null, 'anything', 1, { any: ['thing'] })
  }
}

function record(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, valueOf(field, known, name)])
  const [open] = Object.values(schema.patternProperties ?? {})
  const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : open
  if (fields.length === 0 && rest) {
    return fc.dictionary(matching('^[A-Z][A-Z0-9_]{0,8}$'), valueOf(rest, known), { maxKeys: 3 })
  }
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [...(schema.required ?? [])],
  })
}

function text(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 40 } = schema
  if (schema.format === 'uuid') return fc.uuid({ version: 7 })
  if (schema.format === 'email') return fc.emailAddress()
  if (schema.format === 'date-time') {
    return fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }).map((at) => at.toISOString())
  }
  if (schema.pattern !== undefined && !schema.pattern.includes('\\p{')) {
    const pattern = new RegExp(schema.pattern)
    // Negative lookaheads cannot be generated to order: the result is checked afterwards.
    const made = schema.pattern.replace(/\(\?!(?:[^()]|\([^()]*\))*\)/g, '')
    return matching(made).filter((value) => pattern.test(value) && value.length <= (schema.maxLength ?? 1000))
  }
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) })
}

const matchings = new Map<string, fc.Arbitrary<string>>()

/** Made once for each pattern: that takes far longer than the values which come of it. */
function matching(pattern: string): fc.Arbitrary<string> {
  const known = matchings.get(pattern) ?? fc.stringMatching(new RegExp(pattern))
  matchings.set(pattern, known)
  return known
}

/** `value` with one thing in it, at any depth, taken away, replaced or added. */
export function mutate(value: unknown): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.nat(), hostileValue, fc.constantFrom('replace', 'replace', 'drop', 'add'))
    .map(([at, other, how]) => {
      const copy: unknown = structuredClone(value)
      const places = placesIn(copy)
      const place = places[at % Math.max(1, places.length)]
      if (!place) return other
      if (how === 'replace') place.holder[place.key] = other
      else if (how === 'drop') delete place.holder[place.key]
      else place.holder[`surplus_${at}`] = other
      return copy
    })
}

interface Place {
  readonly holder: Record<string, unknown>
  readonly key: string
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])])
}
