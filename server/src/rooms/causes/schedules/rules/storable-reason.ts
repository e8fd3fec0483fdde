const MAX_REASON = 1000

/** A reason may quote what a repository answered: cut, and without what PostgreSQL stores in no text. */
export function storableReason(text: string): string {
  const plain = text.replaceAll('\0', '\uFFFD')
  return (plain.length > MAX_REASON ? `${plain.slice(0, MAX_REASON - 1)}…` : plain).toWellFormed()
}
