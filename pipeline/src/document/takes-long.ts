/** Characters that are read in a few milliseconds. */
const SHORT = 4_096

/** Whether reading may take long enough for others to notice. Anchors and matrices make much of a short text. */
export function takesLong(text: string): boolean {
  return text.length > SHORT || /&|matrix/.test(text)
}
