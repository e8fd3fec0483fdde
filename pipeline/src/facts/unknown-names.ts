import { Event } from '@signalbox/contracts/event'
import { nearest } from '../document/suggestion.ts'
import type { Expression } from '../expressions/index.ts'

export interface UnknownName {
  /** The name as in most texts: `event.brnch`. */
  readonly path: string
  readonly message: string
}

/** The names behind `run.` and `variables.` where an expression stands; a missing list is not checked. */
export interface KnownNames {
  readonly run?: readonly string[]
  readonly variables?: readonly string[]
}

/** The first name that expressions read and that is never there: it would be an error of each run. */
export function findUnknownName(expressions: readonly Expression[], known: KnownNames): UnknownName | undefined {
  for (const [root, ...names] of expressions.flatMap(({ references }) => references)) {
    const unknown = root === undefined ? undefined : findUnknown(root, names, known)
    if (unknown) return unknown
  }
  return undefined
}

function findUnknown(root: string, names: readonly string[], known: KnownNames): UnknownName | undefined {
  const [name] = names
  switch (root) {
    case 'event':
      return findUnknownField(names)
    case 'run':
      return known.run && name !== undefined ? describeUnknown('run', name, known.run) : undefined
    case 'variables':
      return known.variables && name !== undefined ? findUndeclared(name, known.variables) : undefined
    default:
      return undefined
  }
}

function findUnknownField(names: readonly string[]): UnknownName | undefined {
  let holder = 'event'
  let schema: unknown = Event
  for (const name of names) {
    const fields = fieldsOf(schema)
    if (!fields) return undefined
    const unknown = describeUnknown(holder, name, [...fields.keys()])
    if (unknown) return unknown
    holder = `${holder}.${name}`
    schema = fields.get(name)
  }
  return undefined
}

function findUndeclared(name: string, declared: readonly string[]): UnknownName | undefined {
  if (declared.includes(name)) return undefined
  const near = nearest(name, declared)
  const instead = near === undefined ? 'add it to `variables` of the document' : `did you mean \`variables.${near}\`?`
  return { path: `variables.${name}`, message: `there is no variable \`${name}\`: ${instead}` }
}

function describeUnknown(holder: string, name: string, known: readonly string[]): UnknownName | undefined {
  if (known.includes(name)) return undefined
  const near = nearest(name, known)
  const instead = near === undefined ? `it has ${known.join(', ')}` : `did you mean \`${holder}.${near}\`?`
  return { path: `${holder}.${name}`, message: `\`${holder}\` has no field \`${name}\`: ${instead}` }
}

/**
 * A nullable schema gives the fields of its other type; undefined for a type without fields, such as a text or a list.
 */
function fieldsOf(schema: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  if ('properties' in schema && typeof schema.properties === 'object' && schema.properties !== null) {
    return new Map(Object.entries(schema.properties))
  }
  if (!('anyOf' in schema) || !Array.isArray(schema.anyOf)) return undefined
  return schema.anyOf.map(fieldsOf).find((fields) => fields !== undefined)
}
