/** Characters that JSON.stringify keeps and a terminal or a reader would obey: C1 controls, bidirectional and invisible ones. */
const UNSAFE = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** JSON of equal value that is safe to print anywhere; `space` as JSON.stringify takes it. */
export function renderJson(value: unknown, space?: number): string {
  const text = JSON.stringify(value, undefined, space) ?? 'null'
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
