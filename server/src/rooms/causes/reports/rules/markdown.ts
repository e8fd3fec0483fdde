/** Characters that turn the direction of a line, or that nobody sees: a name with them looks like another one. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

const MAX_NAME = 120

/**
 * A text from outside, as code in Markdown: nothing in it becomes markup, a link, a mention or a reference. Providers
 * differ in how they escape, so that the two characters that could end the code, or a cell of a table, are replaced.
 */
export function quote(text: string, max: number = MAX_NAME): string {
  const line = text.replaceAll(UNSEEN, ' ').replaceAll('`', "'").replaceAll('|', '\u2502').toWellFormed().trim()
  const characters = [...line]
  const shown = characters.length > max ? `${characters.slice(0, max - 1).join('')}\u2026` : line
  return shown === '' ? '`-`' : `\`${shown}\``
}

/** A link of our own words to an address of our own. */
export function link(words: string, url: string): string {
  return `[${words}](<${url.replaceAll(/[<>\s]/g, encodeURIComponent)}>)`
}

export function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}
