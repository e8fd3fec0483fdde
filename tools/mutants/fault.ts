/** A planted fault: the text of a file that becomes another, and the tests that must fail then. */
export interface Fault {
  /** Relative to the root, as all names of files here. */
  readonly file: string
  readonly before: string
  /** Empty: the text is removed. */
  readonly after: string
  readonly tests: readonly string[]
}

/**
 * Faults of one file. Each holds the present text, the text in its place, and the tests, where they are not those of
 * the file.
 */
export interface FaultyFile {
  readonly file: string
  readonly tests: readonly string[]
  readonly faults: readonly (readonly [before: string, after: string, tests?: readonly string[]])[]
}

export function listFaults(files: readonly FaultyFile[]): readonly Fault[] {
  return files.flatMap(({ file, tests, faults }) =>
    faults.map(([before, after, own]) => ({ file, before, after, tests: own ?? tests })),
  )
}

/** Why the fault cannot be planted in this text of its file, as a sentence; undefined: it can. */
export function findObstacle({ file, before, after }: Fault, text: string): string | undefined {
  const times = text.split(before).length - 1
  if (times === 0) return `${file} no longer says ${quote(before)}: name what it says now, or remove the fault.`
  if (times > 1) return `${file} says ${quote(before)} ${times} times: add a line before or after it.`
  if (before === after) return `${file}: ${quote(before)} becomes itself, which is no fault.`
  return undefined
}

export function plant({ before, after }: Fault, text: string): string {
  // A function, because "$" means something in a text that replaces.
  return text.replace(before, () => after)
}

/** On one line, and short enough to be read. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `"${line.length > 100 ? `${line.slice(0, 99)}…` : line}"`
}
