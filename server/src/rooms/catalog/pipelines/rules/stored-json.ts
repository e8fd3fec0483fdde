/** A stored map of names to texts. */
export function toTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text)]))
}
