import type { EventComment, Person } from '@signalbox/contracts/event'

/** A review without words: whose it is, is all that its provider says of it. */
export function wordlessReview(author: Person | null): EventComment {
  return { id: null, body: '', author, author_is_member: null, path: null, web_url: null }
}
