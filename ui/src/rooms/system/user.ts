import type { userRoutes } from '@signalbox/contracts/access/routes'
import type { ItemOf } from '@signalbox/contracts/http/requests'

export type User = ItemOf<typeof userRoutes.listUsers>

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Twenty letters that are not mistaken for each other, in groups of five: 99 bits. */
export function makePassword(): string {
  const letters: string[] = []
  while (letters.length < 20) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    // A remainder would make some letters likelier than others.
    if (byte < 256 - (256 % LETTERS.length)) letters.push(LETTERS.charAt(byte % LETTERS.length))
  }
  return letters.join('').replaceAll(/(.{5})(?=.)/g, '$1-')
}
