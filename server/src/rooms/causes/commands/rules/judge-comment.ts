import type { CommandOutcome } from '@signalbox/contracts/commands'

/** The comment as its delivery told it. */
export interface ToldComment {
  readonly bodySha256: string
  readonly authorId: string | null
  readonly authorLogin: string | null
  /** Of the author, or of who sent it. */
  readonly isBot: boolean
  /** RFC 3339. */
  readonly postedAt: string | null
  readonly receivedAt: Date
}

/** The comment as the provider shows it now. */
export interface ShownComment {
  readonly bodySha256: string
  readonly authorId: string | null
  readonly authorLogin?: string | null
  readonly authorIsBot?: boolean
  readonly isEdited?: boolean
}

export interface Refusal {
  readonly outcome: CommandOutcome
  readonly reason: string
}

/** A delivery that comes again long after, when the record of the first is gone, must not act again. */
const LATEST_MS = 24 * 3_600_000
const BOT = /\[bot\]$/i

/** Why the comment gives no command whatever it says, by its delivery alone; undefined: the provider is asked. */
export function judgeTold(told: ToldComment, ownLogin: string | undefined): Refusal | undefined {
  if (told.isBot || isBotLogin(told.authorLogin, ownLogin)) return BY_BOT
  if (told.authorId === null) {
    return { outcome: 'not_permitted', reason: 'The delivery does not say who wrote the comment.' }
  }
  const postedAt = told.postedAt === null ? Number.NaN : Date.parse(told.postedAt)
  if (told.receivedAt.getTime() - postedAt > LATEST_MS) {
    return { outcome: 'expired', reason: 'The comment came more than a day after it was written: write it anew.' }
  }
  return undefined
}

const BY_BOT: Refusal = { outcome: 'bot', reason: 'A bot wrote the comment: bots give no commands.' }

function isBotLogin(login: string | null | undefined, own: string | undefined): boolean {
  if (login === null || login === undefined) return false
  return BOT.test(login) || login.toLowerCase() === own?.toLowerCase()
}

/** Why the comment as it is now gives no command; undefined: its words count. */
export function judgeShown(told: ToldComment, shown: ShownComment, ownLogin: string | undefined): Refusal | undefined {
  if (shown.authorId === null || shown.authorId !== told.authorId) {
    return { outcome: 'edited', reason: 'The provider names another author of the comment than its delivery.' }
  }
  if (shown.authorIsBot === true || isBotLogin(shown.authorLogin, ownLogin)) return BY_BOT
  if (shown.isEdited === true || shown.bodySha256 !== told.bodySha256) {
    return {
      outcome: 'edited',
      reason: 'The comment was edited: only the words that were posted count. Write it anew.',
    }
  }
  return undefined
}

const MOST_CHARACTERS = 65_536

/** The words in the form in which deliveries are read, so that both can be compared. */
export function asDelivered(body: string): string {
  return body.slice(0, MOST_CHARACTERS).toWellFormed().replaceAll('\0', '\uFFFD')
}
