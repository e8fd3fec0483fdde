/** What a key press means on a page. */
export type KeyMeaning =
  | { readonly kind: 'palette' }
  | { readonly kind: 'help' }
  | { readonly kind: 'go' }
  | { readonly kind: 'page'; readonly letter: string }
  | { readonly kind: 'next' | 'previous' }

export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

export interface KeyPlace {
  /** Somebody types there, or a dialog is open: every key belongs to it. */
  readonly isTaken: boolean
  /** The keys without Ctrl are turned off. */
  readonly isQuiet: boolean
  /** The key before was `g`, a moment ago. */
  readonly isAfterGo: boolean
}

/** Undefined for a key that means nothing here: the browser and the page have it. */
export function meaningOf(press: KeyPress, { isTaken, isQuiet, isAfterGo }: KeyPlace): KeyMeaning | undefined {
  if (isTaken || press.altKey) return undefined
  if (press.ctrlKey || press.metaKey) return press.key.toLowerCase() === 'k' ? { kind: 'palette' } : undefined
  if (isQuiet) return undefined
  if (isAfterGo) return /^[a-z]$/.test(press.key) ? { kind: 'page', letter: press.key } : undefined
  switch (press.key) {
    case '/':
      return { kind: 'palette' }
    case '?':
      return { kind: 'help' }
    case 'g':
      return { kind: 'go' }
    case 'j':
      return { kind: 'next' }
    case 'k':
      return { kind: 'previous' }
    default:
      return undefined
  }
}
