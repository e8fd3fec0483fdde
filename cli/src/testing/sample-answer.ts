type Json = Readonly<Record<string, unknown>>

const UUID = '01900000-0000-7000-8000-000000000001'

/** A value that fits a JSON schema, as an API that keeps to its document would answer it. Lists have one item. */
export function sampleOf(schema: unknown): unknown {
  const { type, const: only, enum: choices, anyOf, properties, items, format, minimum } = asJson(schema)
  if (only !== undefined) return only
  if (Array.isArray(choices)) return choices[0]
  if (Array.isArray(anyOf)) return sampleOf(anyOf[0])
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(asJson(properties)).map(([name, each]) => [name, sampleOf(each)]))
    case 'array':
      return [sampleOf(items)]
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? Math.max(1, minimum) : 1
    case 'boolean':
      return true
    case 'string':
      if (format === 'uuid') return UUID
      return format === 'date-time' ? '2026-11-23T08:00:00.000Z' : 'acme'
    default:
      return {}
  }
}

export function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
