/** A stream follows at most 50 topics; the frame of the page has some of its own. */
const MOST_FOLLOWED = 40

export interface FollowedSources {
  readonly ids: readonly string[]
  /** So many more are shown, and not followed. */
  readonly others: number
}

/** The sources whose deliveries appear by themselves: the one that was chosen, or as many as a stream can follow. */
export function followedSources(ids: readonly string[], chosen: string | undefined): FollowedSources {
  if (chosen !== undefined) return { ids: [chosen], others: 0 }
  const followed = ids.slice(0, MOST_FOLLOWED)
  return { ids: followed, others: ids.length - followed.length }
}
