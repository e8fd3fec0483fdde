/** An account at a Git provider, by the id that never passes to somebody else. */
export interface GitAccount {
  /** A kind of provider, such as github. */
  readonly provider: string
  /** The provider's address, without a slash at the end. */
  readonly baseUrl: string
  readonly accountId: string
}

/** A provider of OpenID Connect that is a Git provider too: its `sub` is the id of the account there. */
export interface GitSignIn {
  readonly issuer: string
  readonly git: { readonly provider: string; readonly baseUrl: string } | undefined
}

const PUBLIC: Readonly<Record<string, string>> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  bitbucket: 'https://bitbucket.org',
}
const NAME = /^git:([a-z_]{1,40})(?::(https?:\/\/[^\s?#@\\]{1,400}?)\/*)?$/
const NUMBERED: ReadonlySet<string> = new Set(['github', 'gitlab', 'gitea', 'forgejo'])

/**
 * The issuer under which an administrator links accounts of a Git provider that is no provider of OpenID Connect: from
 * `git:github` or `git:gitea:https://git.example.com`. No one signs in by it, as an issuer of OpenID Connect begins with
 * http. A sentence where the name or the subject is wrong; undefined for any other name.
 */
export function readGitIssuer(
  name: string,
  subject: string,
): { readonly issuer: string } | { readonly fault: string } | undefined {
  if (!name.startsWith('git:')) return undefined
  const [, provider = '', given] = NAME.exec(name) ?? []
  const baseUrl = given ?? PUBLIC[provider]
  if (provider === '' || baseUrl === undefined) {
    return {
      fault: 'must be such as git:github, or git:gitea:https://git.example.com with the address of the provider',
    }
  }
  if (NUMBERED.has(provider) && !/^[1-9]\d{0,18}$/.test(subject)) {
    return { fault: `must name the account by its number at ${provider}: a login may pass to somebody else` }
  }
  return { issuer: issuerOf({ provider, baseUrl }) }
}

function issuerOf({ provider, baseUrl }: Pick<GitAccount, 'provider' | 'baseUrl'>): string {
  return `git:${provider}:${baseUrl.toLowerCase()}`
}

/** Every issuer whose subject is the id of accounts at this provider. */
export function issuersOf(signIns: readonly GitSignIn[], account: GitAccount): readonly string[] {
  const baseUrl = account.baseUrl.toLowerCase()
  const own = signIns.filter(({ git }) => git?.provider === account.provider && git.baseUrl.toLowerCase() === baseUrl)
  return [...own.map(({ issuer }) => issuer), issuerOf(account)]
}
