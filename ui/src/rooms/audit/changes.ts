/** One field of a document that a write changed. */
export interface Change {
  /** The path of the field, such as `environment.NODE_ENV`. */
  readonly field: string
  /** As JSON; undefined where the field did not exist. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The fields that differ between two documents, in the order in which they first stand. */
export function findChanges(before: unknown, after: unknown): readonly Change[] {
  const old = flatten(before)
  const now = flatten(after)
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((field) => {
    const change = { field, before: old.get(field), after: now.get(field) }
    return change.before === change.after ? [] : [change]
  })
}

/** Lists are compared whole: their items have no names. */
function flatten(value: unknown, path = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map(path === '' ? [] : [[path, 'null']])
  if (typeof value !== 'object' || Array.isArray(value)) return new Map([[path, JSON.stringify(value)]])
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [...flatten(inner, path === '' ? name : `${path}.${name}`)]),
  )
}
