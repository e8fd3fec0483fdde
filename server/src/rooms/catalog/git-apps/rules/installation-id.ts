import type { GitAppProvider } from '@signalbox/contracts/git-apps'

const NUMBER = /^[1-9][0-9]{0,19}$/
/** The group or account of a connection by a token: segments of a full name. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}(\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}){0,9}$/

/** Whether the text can be an id of an installation at the provider. It becomes a part of an address there. */
export function isInstallationId(provider: GitAppProvider, id: string): boolean {
  return provider === 'github' ? NUMBER.test(id) : id.length <= 200 && NAME.test(id)
}
