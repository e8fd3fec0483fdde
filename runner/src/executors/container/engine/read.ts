/** The value at `path` in an answer of the engine; undefined where there is none. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let here: unknown = value
  for (const name of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined
    here = Reflect.get(here, name)
  }
  return here
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path)
  return typeof found === 'number' ? found : undefined
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** The labeled things in a list of the engine, by the field that names them. */
export function readLabeled(body: string, field: string): { key: string; labels: unknown }[] {
  const listed = parseJson(body)
  return (Array.isArray(listed) ? listed : []).flatMap((each: unknown) => {
    const key = textAt(each, field)
    return key === undefined ? [] : [{ key, labels: at(each, 'Labels') }]
  })
}

/** The JSON value of `text`, or undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
