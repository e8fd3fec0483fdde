import type { TObject } from 'typebox'

/**
 * What a model needs to know of an input: names, types, words to choose from, what is required, and descriptions. Bounds and
 * patterns are checked and told when they are broken; in the list each of them would cost every agent at every start.
 */
const LEFT_OUT = new Set([
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minimum',
  'maximum',
  'minProperties',
  'maxProperties',
  'patternProperties',
  'additionalProperties',
])
/** A longer list of words is told when a call names none of them. */
const MOST_WORDS = 20
const SIZE = { max_characters: { type: 'integer' } } as const

type Schema = Readonly<Record<string, unknown>>

/** `takesSize`: every tool that reads takes `max_characters` besides. */
export function listInput(input: TObject, takesSize: boolean): Schema & { readonly type: 'object' } {
  const plain = plainOf(input)
  const properties = isSchema(plain['properties']) ? plain['properties'] : {}
  return {
    ...plain,
    type: 'object',
    properties: { ...properties, ...(takesSize ? SIZE : {}) },
  }
}

function plainOf(schema: object): Schema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]: [string, unknown]) => {
      if (name.startsWith('x-') || LEFT_OUT.has(name)) return []
      if (name === 'enum' && Array.isArray(value) && value.length > MOST_WORDS) return []
      if (name === 'properties' && isSchema(value)) return [[name, plainFields(value)]]
      return [[name, Array.isArray(value) ? value.map(plainPart) : plainPart(value)]]
    }),
  )
}

/** The names of fields are no keywords. */
function plainFields(fields: Schema): Schema {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainPart(value)]))
}

function plainPart(value: unknown): unknown {
  return isSchema(value) ? plainOf(value) : value
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
