import { GIT_APP_PROVIDERS, type GitAppProvider } from '@signalbox/contracts/git-apps'

const PREFIX = 'app:'

/** The provider of `app:<provider>`; undefined for any other reference. */
export function readAppRef(ref: string): GitAppProvider | undefined {
  return GIT_APP_PROVIDERS.find((provider) => ref === `${PREFIX}${provider}`)
}

/** Whether the reference is meant to name an app, also one that does not exist. */
export function isAppRef(ref: string): boolean {
  return ref.startsWith(PREFIX)
}
