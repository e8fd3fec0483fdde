const MAX_TEXT = 300

/** What a trace shows of a text that a stranger wrote: a bounded part of it. */
export function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1).toWellFormed()}…` : text
}

export function listed(values: readonly string[]): string {
  return cut(values.join(', '))
}

/** The first three, and how many more there are. */
export function shortList(values: readonly string[]): string {
  const shown = values.slice(0, 3).map(cut).join(', ')
  return values.length > 3 ? `${shown} and ${values.length - 3} more` : shown
}
