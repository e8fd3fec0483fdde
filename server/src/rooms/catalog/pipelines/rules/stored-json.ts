/** A stored map of names to texts. */
export function toTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text)]))
}

/** The names of a stored list of things that have one. */
export function toNames(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).flatMap((item) => toTexts(item)['name'] ?? [])
}
