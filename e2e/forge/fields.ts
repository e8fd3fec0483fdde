/** An object of JSON whose fields nobody has checked. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Undefined where it is no text. */
export function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

export function fieldsOf(fields: Fields, name: string): Fields {
  const value = fields[name]
  return isFields(value) ? value : {}
}

/** Empty where it is no list. */
export function listOf(fields: Fields, name: string): readonly unknown[] {
  const value: unknown = fields[name]
  return Array.isArray(value) ? value : []
}

export function textsOf(fields: Fields, name: string): readonly string[] {
  return listOf(fields, name).filter((item) => typeof item === 'string')
}
