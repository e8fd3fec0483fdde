/** The values of a form's field with a line each, NAME=value. Empty lines are left out. */
export function readAssignments(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = line.indexOf('=')
        return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), readValue(line.slice(at + 1))]
      }),
  )
}

/** The text of such a field: it reads back as the same values, whatever they hold. */
export function writeAssignments(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${writeValue(value)}`)
    .join('\n')
}

/** Ends of lines and other control characters, blanks at the edges, half characters, and a quote in front. */
const NEEDS_QUOTES = /[\u0000-\u001f\u007f\p{Surrogate}]|^\s|\s$|^"/u

function writeValue(value: string): string {
  return NEEDS_QUOTES.test(value) ? JSON.stringify(value) : value
}

/** A value in JSON's quotes is what they say. Every other value is as it stands. */
function readValue(text: string): string {
  if (!text.trim().startsWith('"')) return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}
