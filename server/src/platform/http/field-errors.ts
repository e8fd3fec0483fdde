import type { FieldError } from '#platform/problems'

/** The validator's message about one place of a body, a query or a path. */
export interface ValidationEntry {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
  /** The schema that the keyword stands in. */
  readonly parentSchema?: unknown
}

/** One sentence for each field at fault, for people who see neither the schema nor its patterns. */
export function toFieldErrors(place: string, entries: readonly ValidationEntry[]): readonly FieldError[] {
  const errors = new Map<string, string>()
  const allowed = new Map<string, unknown[]>()
  for (const entry of entries) {
    if (isAfterthought(entry, entries)) continue
    const field = fieldOf(place, entry)
    if (entry.keyword === 'enum' || entry.keyword === 'const') {
      const values = [...(allowed.get(field) ?? []), ...listOf(entry.params)]
      allowed.set(field, values)
      if (values.length === listOf(entry.params).length && errors.has(field)) continue
      errors.set(field, `must be one of ${JSON.stringify(values)}`)
    } else if (!errors.has(field)) {
      errors.set(field, wordOf(place, entry))
    }
  }
  return [...errors].map(([field, message]) => ({ field, message }))
}

/** In "this or null" the sender meant the first half: the errors of the null half and of the union add nothing. */
function isAfterthought({ keyword, params, instancePath }: ValidationEntry, all: readonly ValidationEntry[]): boolean {
  if (keyword !== 'anyOf' && !(keyword === 'type' && params['type'] === 'null')) return false
  return all.some(
    (other) =>
      (other.instancePath === instancePath || other.instancePath.startsWith(`${instancePath}/`)) &&
      other.keyword !== 'anyOf' &&
      !(other.keyword === 'type' && other.params['type'] === 'null'),
  )
}

function fieldOf(place: string, { instancePath, keyword, params }: ValidationEntry): string {
  const path = instancePath.slice(1).split('/').map(unescapePointer).filter(Boolean)
  if (keyword === 'additionalProperties') path.push(String(params['additionalProperty']))
  if (keyword === 'required') path.push(String(params['missingProperty']))
  return path.join('.') || place
}

function wordOf(place: string, { keyword, params, message, parentSchema }: ValidationEntry): string {
  const limit = Number(params['limit'])
  switch (keyword) {
    case 'additionalProperties':
      return `${place === 'querystring' ? 'is not a known query parameter' : 'is not a known field'}: leave it out`
    case 'required':
      return 'is required'
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'minItems':
      return limit === 1 ? 'must not be empty' : `must hold at least ${limit}`
    case 'maxItems':
      return `must hold at most ${limit}`
    case 'uniqueItems':
      return 'must not hold the same twice'
    case 'format':
      return FORMATS[String(params['format'])] ?? message ?? 'is not valid'
    case 'pattern': {
      const description = descriptionOf(parentSchema)
      return description === undefined ? (message ?? 'is not valid') : `is not of the right form: ${description}`
    }
    default:
      return message ?? 'is not valid'
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  'date-time': 'must be a time with its offset, such as 2027-01-31T12:00:00Z',
}

function listOf(params: ValidationEntry['params']): readonly unknown[] {
  const allowed: unknown = params['allowedValues']
  return Array.isArray(allowed) ? allowed : [params['allowedValue']]
}

function descriptionOf(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || !('description' in schema)) return undefined
  return typeof schema.description === 'string' ? schema.description.replace(/\.$/, '') : undefined
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
