const MAX_TEXT = 300

/** A bounded part of a text, for a trace: strangers write such texts. */
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
