import { pathToFileURL } from 'node:url'
import type { RepositoryAddress } from '@signalbox/contracts/repository'
import type { Owner, StartProcess } from '../processes/running-process.ts'
import type { Time } from '../time/index.ts'
import type { GitResult } from './git-command.ts'
import { runGit } from './git-command.ts'
import type { GitFiles } from './git-settings.ts'
import { gitEnvironment, trustRepository } from './git-settings.ts'
import { findLocalRepository, type LocalFolder } from './local-repositories.ts'

/** The repository that git fetches from. */
export interface Remote {
  readonly url: string
  /** Protocols that git may use, as `GIT_ALLOW_PROTOCOL` lists them. */
  readonly protocols: string
  /** Protocols for its submodules, which never lie in a folder of this machine. */
  readonly submoduleProtocols: string
  /** The name by which git asks for a credential. */
  readonly origin: string | undefined
  /** The only folder that git may trust though another account owns it. */
  readonly folder: string | undefined
}

/** The address's own protocol, and https where http leads there. */
const PROTOCOLS_OF = {
  https: { protocols: 'https', submoduleProtocols: 'https' },
  http: { protocols: 'http:https', submoduleProtocols: 'http:https' },
  ssh: { protocols: 'ssh', submoduleProtocols: 'ssh:https' },
  local: { protocols: 'file', submoduleProtocols: 'http:https' },
} as const satisfies Record<RepositoryAddress['kind'], unknown>

/** Undefined: a folder that the operator has not named. */
export function locate(address: RepositoryAddress, folders: readonly LocalFolder[]): Remote | undefined {
  const common = { origin: undefined, folder: undefined, ...PROTOCOLS_OF[address.kind] }
  switch (address.kind) {
    case 'https':
    case 'http':
      return { ...common, url: address.url, origin: address.origin }
    case 'ssh':
      return { ...common, url: address.url }
    case 'local': {
      const folder = findLocalRepository(address.path, folders)
      return folder === undefined ? undefined : { ...common, url: pathToFileURL(folder).href, folder }
    }
  }
}

export function submodulesOf(remote: Remote): Remote {
  return { ...remote, protocols: remote.submoduleProtocols }
}

export interface GitTools {
  readonly start: StartProcess
  readonly time: Time
  readonly files: GitFiles
  readonly path: string
  readonly timeoutMs: number
}

export interface GitPlace {
  readonly directory: string
  readonly owner: Owner | undefined
  readonly signal: AbortSignal
  /** Beside what git always sees. */
  readonly further?: Readonly<Record<string, string>> | undefined
  note(sentence: string): void
}

export interface Login {
  readonly username: string
  readonly password: string
}
export const NO_LOGIN: Login = { username: '', password: '' }

export type Git = (...args: string[]) => Promise<GitResult>

/** Git in one folder, as the owner of the place. Git may speak to the remote only, and has the login for that alone. */
export function gitIn(
  tools: GitTools,
  { origin, protocols, folder }: Remote,
  { directory, owner, signal, note, further }: GitPlace,
  login: Login,
): Git {
  const configFile = folder === undefined ? tools.files.configFile : trustRepository(tools.files, folder)
  const surroundings = { home: directory, path: tools.path, protocols, configFile }
  const environment = { ...gitEnvironment(tools.files, surroundings, { ...login, origin }), ...further }
  return async (...args) => {
    const { start, time, timeoutMs } = tools
    const result = await runGit({ directory, environment, owner, signal, start, time, timeoutMs }, args)
    for (const line of result.stderr.split('\n')) if (line.trim() !== '') note(`git: ${line.trimEnd()}`)
    return result
  }
}

export function failure(what: string, url: string, { reason }: GitResult): string {
  return `The ${what} of ${url} failed: ${reason}.`
}
