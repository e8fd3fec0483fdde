import { pathToFileURL } from 'node:url'
import type { RepositoryAddress } from '@signalbox/contracts/repository'
import type { Owner, StartProcess } from '../processes/running-process.ts'
import type { Time } from '../time/index.ts'
import type { GitResult } from './git-command.ts'
import { runGit } from './git-command.ts'
import type { GitFiles } from './git-settings.ts'
import { gitEnvironment, trustRepository } from './git-settings.ts'
import { findLocalRepository, type LocalFolder } from './local-repositories.ts'

/** What git is told to fetch from. */
export type Remote = {
  readonly url: string
  readonly protocol: RepositoryAddress['kind']
  /** As git names it when it asks for a credential. */
  readonly origin: string | undefined
  /** The one folder that git may trust though it belongs to somebody else. */
  readonly folder: string | undefined
}

/** Undefined: a folder that the operator has not named. */
export const locate = (address: RepositoryAddress, folders: readonly LocalFolder[]): Remote | undefined => {
  const nowhere = { origin: undefined, folder: undefined }
  switch (address.kind) {
    case 'https':
    case 'http':
      return { ...nowhere, url: address.url, protocol: address.kind, origin: address.origin }
    case 'ssh':
      return { ...nowhere, url: address.url, protocol: 'ssh' }
    case 'local': {
      const folder = findLocalRepository(address.path, folders)
      return folder === undefined
        ? undefined
        : { ...nowhere, url: pathToFileURL(folder).href, protocol: 'local', folder }
    }
  }
}

/** What git may use, as `GIT_ALLOW_PROTOCOL` names it: the address's own protocol, and https where http leads there. */
const allowed = { https: 'https', http: 'http:https', ssh: 'ssh', local: 'file' } as const

export type GitTools = {
  readonly start: StartProcess
  readonly time: Time
  readonly files: GitFiles
  readonly path: string
  readonly timeoutMs: number
}

export type GitPlace = {
  readonly directory: string
  readonly owner: Owner | undefined
  readonly signal: AbortSignal
  note(sentence: string): void
}

export type Login = { readonly username: string; readonly password: string }
export const noLogin: Login = { username: '', password: '' }

export type Git = (...args: string[]) => Promise<GitResult>

/** Git in one folder, as the owner of the place. It may speak to the remote only, and has the login for that alone. */
export const gitIn = (
  tools: GitTools,
  { origin, protocol, folder }: Remote,
  { directory, owner, signal, note }: GitPlace,
  login: Login,
): Git => {
  const configFile = folder === undefined ? tools.files.configFile : trustRepository(tools.files, folder)
  const surroundings = { home: directory, path: tools.path, protocols: allowed[protocol], configFile }
  const environment = gitEnvironment(tools.files, surroundings, { ...login, origin })
  return async (...args) => {
    const { start, time, timeoutMs } = tools
    const result = await runGit({ directory, environment, owner, signal, start, time, timeoutMs }, args)
    for (const line of result.stderr.split('\n')) if (line.trim() !== '') note(`git: ${line.trimEnd()}`)
    return result
  }
}

export const failure = (what: string, url: string, { reason }: GitResult): string =>
  `The ${what} of ${url} failed: ${reason}.`
