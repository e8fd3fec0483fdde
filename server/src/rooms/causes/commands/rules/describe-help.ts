export interface HelpFor {
  /** The provider says that the person may write to the repository. */
  readonly mayWrite: boolean
  /** A user of this service is linked to the account. */
  readonly isLinked: boolean
}

/** What a person may do, in words. */
export function describeHelp({ mayWrite, isLinked }: HelpFor): string {
  const writing = mayWrite ? ['/run <pipeline> [on <scope>] [NAME=value ...]', '/rerun [failed]', '/cancel'] : []
  const approving = isLinked ? ['/approve <step> <commit>', '/ok-to-test <commit>'] : []
  const forms = [...writing, ...approving, '/why', '/help'].map((form) => `\`${form}\``)
  const missing = isLinked ? '' : ' Approving takes an account that is linked to a user of this service.'
  return `You may write, on a line of its own: ${forms.join(', ')}. The first command of a comment counts.${missing}`
}
