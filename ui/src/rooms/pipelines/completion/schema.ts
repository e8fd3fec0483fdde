import { ITEM, type Level, type PlaceInYaml } from './place-in-yaml.ts'

/** As much of JSON Schema as the document of a pipeline uses. */
export interface SchemaNode {
  readonly type?: string
  readonly description?: string
  readonly errorMessage?: string
  readonly patternErrorMessage?: string
  readonly required?: readonly string[]
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: boolean | SchemaNode
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
}

/** Something that may be written at a place. */
export interface Suggestion {
  readonly label: string
  readonly kind: 'key' | 'value'
  readonly isRequired: boolean
  readonly description: string
  /** What the value of a key is: decides what is written after it. */
  readonly shape: 'map' | 'list' | 'scalar'
}

/** A node and its alternatives. */
function alternativesOf(node: SchemaNode): readonly SchemaNode[] {
  return [node, ...(node.anyOf ?? []).flatMap(alternativesOf)]
}

/** What the schema says of a path; several where it allows several. */
export function nodesAt(root: SchemaNode, path: readonly Level[]): readonly SchemaNode[] {
  let nodes = alternativesOf(root)
  for (const level of path) {
    nodes = nodes.flatMap((node) => childrenOf(node, level)).flatMap(alternativesOf)
  }
  return nodes
}

function childrenOf(node: SchemaNode, level: Level): readonly SchemaNode[] {
  if (level === ITEM) return node.items ? [node.items] : []
  const named = node.properties && Object.hasOwn(node.properties, level) ? node.properties[level] : undefined
  if (named) return [named]
  const fitting = Object.entries(node.patternProperties ?? {}).filter(([pattern]) =>
    new RegExp(pattern, 'u').test(level),
  )
  if (fitting.length > 0) return fitting.map(([, child]) => child)
  return typeof node.additionalProperties === 'object' ? [node.additionalProperties] : []
}

/** What the schema allows at a place, required keys first. */
export function suggestionsAt(root: SchemaNode, place: PlaceInYaml): readonly Suggestion[] {
  const nodes = nodesAt(root, place.path)
  if (place.kind === 'value' || nodes.every(({ properties }) => properties === undefined)) {
    return unique(nodes.flatMap(valuesOf))
  }
  const keys = nodes.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties)
      .filter(([name]) => !place.siblings.includes(name))
      .map(
        ([name, child]): Suggestion => ({
          label: name,
          kind: 'key',
          isRequired: required.includes(name),
          description: descriptionOf([child]),
          shape: shapeOf(child),
        }),
      ),
  )
  return unique(keys).toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

function valuesOf({ type, enum: words, description = '' }: SchemaNode): readonly Suggestion[] {
  const values = words ?? (type === 'boolean' ? ['true', 'false'] : [])
  return values.map((label) => ({ label, kind: 'value', isRequired: false, description, shape: 'scalar' }))
}

function unique(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  return [...new Map(suggestions.toReversed().map((each) => [each.label, each])).values()].toReversed()
}

function shapeOf(node: SchemaNode): Suggestion['shape'] {
  const types = new Set(alternativesOf(node).map(({ type }) => type))
  if (types.has('boolean') || types.has('string') || types.has('number') || types.has('integer')) return 'scalar'
  if (types.has('array')) return 'list'
  return types.has('object') ? 'map' : 'scalar'
}

/** What the schema says of a place, for people. */
export function descriptionOf(nodes: readonly SchemaNode[]): string {
  const [description] = nodes.flatMap(({ description: said }) => said ?? [])
  const [advice] = nodes.flatMap(({ patternErrorMessage, errorMessage }) => patternErrorMessage ?? errorMessage ?? [])
  const sentence = advice === undefined ? undefined : `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`
  return [description, sentence].filter((each) => each !== undefined).join(' ')
}

/** Reads an answer of the API as a schema: each part that is not as expected is left out. */
export function readSchema(value: unknown): SchemaNode {
  const {
    type,
    description,
    errorMessage,
    patternErrorMessage,
    required,
    enum: words,
    properties,
    patternProperties,
    additionalProperties,
    items,
    anyOf,
  } = recordOf(value)
  return {
    ...textOf('type', type),
    ...textOf('description', description),
    ...textOf('errorMessage', errorMessage),
    ...textOf('patternErrorMessage', patternErrorMessage),
    ...(Array.isArray(required) ? { required: required.map(String) } : {}),
    ...(Array.isArray(words) ? { enum: words.map(String) } : {}),
    ...(properties === undefined ? {} : { properties: nodesOf(properties) }),
    ...(patternProperties === undefined ? {} : { patternProperties: nodesOf(patternProperties) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: readSchema(additionalProperties) } : {}),
    ...(items === undefined ? {} : { items: readSchema(items) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(readSchema) } : {}),
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function nodesOf(value: unknown): Readonly<Record<string, SchemaNode>> {
  return Object.fromEntries(Object.entries(recordOf(value)).map(([name, node]) => [name, readSchema(node)]))
}

function textOf<Name extends string>(name: Name, value: unknown): { readonly [N in Name]?: string }
function textOf(name: string, value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'string' ? { [name]: value } : {}
}
