import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import { readProvider } from './providers.ts'

/** The provider that is shown, and what the way back from it carries in the address. */
export interface GitAppSearch {
  readonly outcome?: string
  readonly error?: string
  readonly provider?: GitAppProvider
}

export function readGitAppSearch(search: Readonly<Record<string, unknown>>): GitAppSearch {
  const [outcome, error] = [readWord(search['outcome']), readWord(search['error'])]
  const provider = readProvider(search['provider'])
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(error === undefined ? {} : { error }),
    ...(provider === undefined ? {} : { provider }),
  }
}

function readWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z_]{1,60}$/.test(value) ? value : undefined
}
