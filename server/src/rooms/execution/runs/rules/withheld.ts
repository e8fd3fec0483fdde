export interface Withheld {
  readonly withheld: string | null
  readonly pullRequest: number | null
  readonly group: string | null
  /** The run that one waits behind in its group. */
  readonly before: string | undefined
}

/** Why a queued run may not be begun yet, whatever the runners say; undefined: it may. */
export function explainWithheld({ withheld, pullRequest, group, before }: Withheld): string | undefined {
  if (withheld === 'fork_approval') {
    return `It waits for the approval of a member: the pull request #${pullRequest} comes from a fork or an unknown place.`
  }
  if (withheld !== 'group') return undefined
  return before === undefined
    ? `It is its turn in the group ${group}; it is about to be queued.`
    : `It waits for its turn in the group ${group}, behind run ${before}.`
}
