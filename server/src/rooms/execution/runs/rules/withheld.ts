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
    return `The run waits for the approval of a member: pull request #${pullRequest} comes from a fork or an unknown place.`
  }
  if (withheld !== 'group') return undefined
  return before === undefined
    ? `The run is next in the group ${group} and is about to be queued.`
    : `The run waits for its turn in the group ${group}, behind run ${before}.`
}
