import type { Source } from './source.ts'

/** A source as it is told of runs: who its provider is, and with which credential it is called. */
export interface ToldSource
  extends Pick<Source, 'id' | 'name' | 'provider' | 'teamPath' | 'reportStatus' | 'checkoutCredentialRef'> {
  /** Undefined: it is not known, or not allowed any more. */
  readonly baseUrl: string | undefined
  /** Whether a clone address, which came with an event, is one of this provider. */
  owns(cloneUrl: string): boolean
}

/** A source as commands in comments find it. */
export interface CommandedSource extends ToldSource, Pick<Source, 'enabled' | 'commentCommands' | 'owner'> {
  /** Whether the allowlist has the repository. */
  admits(repository: string): boolean
}
