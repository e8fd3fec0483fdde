/** One field of a document that is not as it was. */
export interface FieldChange {
  readonly field: string
  readonly before: string
  readonly after: string
}

/** Times of the document itself change with every other field. */
const LEFT_OUT: ReadonlySet<string> = new Set(['updated_at'])

/** What is longer is a text of its own, which the page shows. */
const LONGEST = 200

/** The fields in which two versions of a document differ, in words. */
export function changesBetween(before: object, after: object): readonly FieldChange[] {
  const [was, is] = [new Map<string, unknown>(Object.entries(before)), new Map<string, unknown>(Object.entries(after))]
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((field) => !LEFT_OUT.has(field))
    .map((field) => ({ field, before: wordsOf(was.get(field)), after: wordsOf(is.get(field)) }))
    .filter((change) => change.before !== change.after)
}

function wordsOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing'
  const words = typeof value === 'string' ? value : JSON.stringify(value)
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words
}
