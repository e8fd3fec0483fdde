/** Who has to say yes, and why somebody else than the planner. */
export interface Confirmation {
  readonly confirmation: 'agent' | 'person'
  readonly reason: string | null
  /** The protected scope that the reason names. */
  readonly place?: string
}

export interface ReachedPlaces {
  readonly scopes: readonly string[]
  /** Teams all of whose environments may be reached. */
  readonly teams: readonly string[]
  /** Why, whatever is protected. */
  readonly needsPerson?: string | undefined
}

/** A write that reaches a protected environment takes another person, whatever the option says. */
export function judgeConfirmation(
  option: 'agent' | 'person',
  reached: ReachedPlaces,
  isProtected: (scope: string) => boolean,
  protectedOf: (teamPath: string) => string | undefined,
): Confirmation {
  // First: it names nothing that the planner may not see.
  if (reached.needsPerson !== undefined) return { confirmation: 'person', reason: reached.needsPerson }
  const scope = reached.scopes.find(isProtected)
  if (scope !== undefined) {
    const reason = `The scope ${scope} is protected: another person has to approve.`
    return { confirmation: 'person', reason, place: scope }
  }
  for (const team of reached.teams) {
    const environment = protectedOf(team)
    if (environment === undefined) continue
    const reason = `It may reach ${environment}, which is protected: another person has to approve.`
    return { confirmation: 'person', reason, place: environment }
  }
  if (option === 'agent') return { confirmation: 'agent', reason: null }
  return { confirmation: 'person', reason: 'mcp_confirmation says that another person approves each plan.' }
}
