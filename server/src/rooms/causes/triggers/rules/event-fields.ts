import { Event } from '@signalbox/contracts/event'
import { nearest } from '@signalbox/pipeline/document'
import type { Expression } from '@signalbox/pipeline/expressions'

export interface UnknownField {
  /** As it stands in most texts: `event.brnch`. */
  readonly path: string
  readonly message: string
}

/** The first field that expressions read and no event has: what is misspelt would fail for each event, or never hold. */
export function findUnknownField(expressions: readonly Expression[]): UnknownField | undefined {
  for (const [root, ...names] of expressions.flatMap(({ references }) => references)) {
    const unknown = root === 'event' ? findUnknown(names) : undefined
    if (unknown) return unknown
  }
  return undefined
}

function findUnknown(names: readonly string[]): UnknownField | undefined {
  let holder = 'event'
  let schema: unknown = Event
  for (const name of names) {
    const fields = fieldsOf(schema)
    if (!fields) return undefined
    if (!fields.has(name)) {
      const known = [...fields.keys()]
      const near = nearest(name, known)
      const instead = near === undefined ? `it has ${known.join(', ')}` : `did you mean \`${holder}.${near}\`?`
      return { path: `${holder}.${name}`, message: `\`${holder}\` has no field \`${name}\`: ${instead}` }
    }
    holder = `${holder}.${name}`
    schema = fields.get(name)
  }
  return undefined
}

/** Of what may be null those of what it else is; undefined for what has none, such as a text or a list. */
function fieldsOf(schema: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  if ('properties' in schema && typeof schema.properties === 'object' && schema.properties !== null) {
    return new Map(Object.entries(schema.properties))
  }
  if (!('anyOf' in schema) || !Array.isArray(schema.anyOf)) return undefined
  return schema.anyOf.map(fieldsOf).find((fields) => fields !== undefined)
}
