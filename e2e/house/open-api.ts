/** One operation of the OpenAPI document, with what a test needs of it. */
export interface Operation {
  readonly method: string
  /** `/v1/runs/{id}` */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  /** Those that the operation names, and those that its `default` names. */
  readonly statuses: readonly number[]
  readonly isPublic: boolean
  /** Of an authorized route; undefined otherwise. */
  readonly permission: string | undefined
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
}

export interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

interface OpenApiOperation {
  readonly description?: string
  readonly security?: readonly unknown[]
  readonly parameters?: Operation['parameters']
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

export async function readOperations(url: string): Promise<Operation[]> {
  const response = await fetch(`${url}/v1/openapi.json`)
  const document = resolve(await response.json()) as { paths: Record<string, Record<string, OpenApiOperation>> }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(method, path, operation)),
  )
}

/** `value` with what its references name in their places: no shape holds itself. */
function resolve(value: unknown, document: unknown = value): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part) => resolve(part, document))
  if ('$ref' in value && typeof value.$ref === 'string') return resolve(found(document, value.$ref), document)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part, document)]))
}

/** The schema that a reference such as `#/components/schemas/Run` names. */
function found(document: unknown, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((within, key) => new Map(Object.entries(Object(within))).get(key), document)
}

function toOperation(method: string, path: string, operation: OpenApiOperation): Operation {
  return {
    method: method.toUpperCase(),
    path,
    parameters: operation.parameters ?? [],
    body: operation.requestBody?.content['application/json']?.schema,
    statuses: Object.entries(operation.responses).flatMap(([status, { description }]) =>
      status === 'default' ? (description.match(/\b\d{3}\b/g) ?? []).map(Number) : [Number(status)],
    ),
    isPublic: operation.security?.length === 0,
    permission: /needs the permission `([a-z_.]+)`/.exec(operation.description ?? '')?.[1],
  }
}
