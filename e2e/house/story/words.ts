const WORD = /<([a-z][a-z0-9_.]*)>/g

/** The names of a story: `<head>` in its data stands for the value that was set for `head`. */
export interface Words {
  /** Each name may be set once: a second value would be a mistake in the story. */
  set(name: string, value: string): void
  get(name: string): string
  /** The data with its words replaced, as JSON. */
  fill(data: unknown): string
}

export function createWords(): Words {
  const values = new Map<string, string>()
  const get = (name: string): string => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`<${name}> stands for nothing; there is ${[...values.keys()].join(', ')}`)
    return value
  }
  return {
    get,
    set(name, value) {
      if (values.has(name)) throw new Error(`<${name}> stands for something already`)
      values.set(name, value)
    },
    fill: (data) => JSON.stringify(data).replaceAll(WORD, (_, name: string) => JSON.stringify(get(name)).slice(1, -1)),
  }
}
