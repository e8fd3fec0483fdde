/** The values of a form's field with a line each, NAME=value. Empty lines are left out. */
export function readAssignments(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = line.indexOf('=')
        return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1)]
      }),
  )
}

/** The text of such a field. */
export function writeAssignments(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
}
