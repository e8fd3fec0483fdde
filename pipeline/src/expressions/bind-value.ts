import type { CelInput } from '@bufbuild/cel'

/** A JSON value made ready for expressions. Opaque; bind once and use for many evaluations. */
export type BoundValue = CelInput

/**
 * Converts JSON for evaluation. Whole numbers become CEL ints, because a JavaScript number is a double in CEL, on which
 * `n + 1` fails. Values that are no JSON become null. Objects become maps, so that no key can reach a prototype.
 */
export function bindValue(value: unknown): BoundValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value
    case 'number':
      return Number.isSafeInteger(value) ? BigInt(value) : value
    case 'object': {
      if (value === null) return null
      if (Array.isArray(value)) return value.map(bindValue)
      const map = new Map<string, CelInput>()
      for (const [key, item] of Object.entries(value)) map.set(key, bindValue(item))
      return map
    }
    default:
      return null
  }
}
