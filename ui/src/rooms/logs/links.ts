/** A piece of a line, and where it leads. */
export interface Linked {
  readonly text: string
  readonly href: string | undefined
}

const BARE = /https?:\/\/[^\s<>"'`\p{Cc}\p{Cf}]+/giu
/** Ends a sentence more often than an address. */
const TRAILING = /[.,;:!?)\]}]+$/

/** The text in pieces; addresses of http and https are links. */
export function findLinks(text: string): readonly Linked[] {
  const pieces: Linked[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(BARE)) {
    const address = found.replace(TRAILING, '')
    const href = readAddress(address)
    if (href === undefined) continue
    if (index > end) pieces.push({ text: text.slice(end, index), href: undefined })
    pieces.push({ text: address, href })
    end = index + address.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), href: undefined })
  return pieces
}

/** The address, where it is one of http or https without a name or password in it. */
export function readAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, href } = new URL(text)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && username === '' && password === '' ? href : undefined
}

/** What a person has to see of an address before following it. */
export function hostOf(href: string): string {
  return new URL(href).host
}
