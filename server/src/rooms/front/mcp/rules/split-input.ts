/** The largest answer that a call asks for, and what is left for the tool itself. */
export interface SplitInput {
  readonly maxCharacters: number
  readonly input: Readonly<Record<string, unknown>>
}

const DEFAULT_CHARACTERS = 8000
const FEWEST = 2000
export const MOST_CHARACTERS = 40_000

/** Every tool that reads takes `max_characters`; a size out of its bounds is brought within them. */
export function splitInput(input: unknown): SplitInput {
  const given: Record<string, unknown> = typeof input === 'object' && input !== null ? { ...input } : {}
  const { max_characters: asked, ...rest } = given
  const size = typeof asked === 'number' && Number.isFinite(asked) ? Math.trunc(asked) : DEFAULT_CHARACTERS
  return { maxCharacters: Math.min(MOST_CHARACTERS, Math.max(FEWEST, size)), input: rest }
}
