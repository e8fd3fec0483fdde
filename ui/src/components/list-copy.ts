/** A part of what narrows a list: its name in the query, its option of the command line, its value. */
export type ListPart = readonly [name: string, option: string | undefined, value: string | undefined]

interface ListCopy {
  readonly path: string
  /** Absent where the command line cannot say the same. */
  readonly command?: readonly string[]
}

/** A list as it is shown, as a path of the API and as words of the command line: properties of `CopyAs`. */
export function listCopy(path: string, command: readonly string[], parts: readonly ListPart[]): ListCopy {
  const search = new URLSearchParams()
  const words = [...command]
  let isSayable = true
  for (const [name, option, value] of parts) {
    if (value === undefined || value === '') continue
    search.append(name, value)
    if (option === undefined) isSayable = false
    else words.push(option, value)
  }
  const query = search.toString()
  return { path: query === '' ? path : `${path}?${query}`, ...(isSayable ? { command: words } : {}) }
}
