/** An object of a payload: nothing is known of its values. */
export interface JsonObject {
  readonly [key: string]: unknown
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
