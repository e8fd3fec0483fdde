import type { GitAppProvider } from '@signalbox/contracts/git-apps'

interface ProviderWords {
  readonly name: string
  /** Registers apps; the others are connected by the token of an account. */
  readonly hasApps: boolean
}

export const PROVIDERS: Readonly<Record<GitAppProvider, ProviderWords>> = {
  github: { name: 'GitHub', hasApps: true },
  gitlab: { name: 'GitLab', hasApps: false },
  gitea: { name: 'Gitea', hasApps: false },
  forgejo: { name: 'Forgejo', hasApps: false },
}

export const PROVIDER_CHOICES: { value: GitAppProvider; label: string }[] = [
  { value: 'github', label: PROVIDERS.github.name },
  { value: 'gitlab', label: PROVIDERS.gitlab.name },
  { value: 'gitea', label: PROVIDERS.gitea.name },
  { value: 'forgejo', label: PROVIDERS.forgejo.name },
]

export function readProvider(text: unknown): GitAppProvider | undefined {
  return PROVIDER_CHOICES.find(({ value }) => value === text)?.value
}
