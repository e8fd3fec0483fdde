/** What the way back from a provider carries in the address. */
export interface GitAppSearch {
  readonly outcome?: string
  readonly provider?: string
}

export function readGitAppSearch(search: Record<string, unknown>): GitAppSearch {
  const text = (name: string): string | undefined => {
    const value = search[name]
    return typeof value === 'string' && /^[a-z0-9_-]{1,60}$/.test(value) ? value : undefined
  }
  const [outcome, provider] = [text('outcome') ?? text('status') ?? text('error'), text('provider')]
  return { ...(outcome === undefined ? {} : { outcome }), ...(provider === undefined ? {} : { provider }) }
}

export interface OutcomeInWords {
  readonly isGood: boolean
  readonly sentence: string
}

const WORDS: Readonly<Record<string, OutcomeInWords>> = {
  registered: { isGood: true, sentence: 'The app is registered. Install it where its repositories are.' },
  installed: { isGood: true, sentence: 'The app is installed. Its repositories can send events now.' },
  updated: { isGood: true, sentence: 'The installation has changed: its repositories are read again.' },
  denied: { isGood: false, sentence: 'The provider says that the registration was refused. Nothing has changed here.' },
  expired: { isGood: false, sentence: 'The registration took too long. Begin it again.' },
  state_mismatch: {
    isGood: false,
    sentence: 'The answer belongs to another registration, or came twice. Begin it again in this browser.',
  },
  provider_unreachable: { isGood: false, sentence: 'The provider did not answer. Try again in a while.' },
}

/** The outcome of a registration as a person reads it; an unknown word is never shown as markup or as a promise. */
export function describeOutcome(outcome: string | undefined): OutcomeInWords | undefined {
  if (outcome === undefined) return undefined
  return (
    WORDS[outcome] ?? {
      isGood: false,
      sentence: `The registration ended with "${outcome}". Nothing is known about it.`,
    }
  )
}
