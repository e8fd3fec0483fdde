import { resolve } from 'node:path'
import { Client } from '../client/client.ts'
import { CommandFailed } from '../errors.ts'
import type { Surroundings } from '../surroundings.ts'
import { dataDirOf, findBootstrapToken, findInstance } from './local-instance.ts'
import { readTokenFile } from './private-file.ts'
import { findProfile, profilePath } from './profile.ts'

/** Where the address and the token came from, for `doctor` and messages. */
export type ConnectionOrigin = 'option' | 'environment' | 'profile' | 'local'

export interface Connection {
  readonly url: string
  readonly token: string | undefined
  readonly origin: ConnectionOrigin
}

/** The options by which every command that speaks to the API can be told where it is. */
export interface ConnectionOptions {
  readonly url?: string
  readonly tokenFile?: string
}

/**
 * Chooses the control plane: --url, then SIGNALBOX_URL, then the instance on the data folder of the working directory,
 * then the profile of `signalbox login`. The token of --token-file wins over SIGNALBOX_TOKEN, and
 * that one over every stored token.
 */
export function findConnection(surroundings: Surroundings, options: ConnectionOptions): Connection | undefined {
  const { env } = surroundings
  const token =
    options.tokenFile === undefined
      ? env['SIGNALBOX_TOKEN'] || undefined
      : readTokenFile(resolve(surroundings.cwd, options.tokenFile))
  const profile = findProfile(profilePath(surroundings))
  const asked = options.url ?? (env['SIGNALBOX_URL'] || undefined)
  const dataDir = dataDirOf(surroundings)
  const local = findInstance(dataDir)
  if (asked !== undefined) {
    const url = readAddress(asked)
    // A stored token goes only to the address that it was stored for.
    const known = tokenOfProfile(surroundings, url)
    const own = local && sameOrigin(local.url, url) ? findBootstrapToken(surroundings, dataDir) : undefined
    return { url, token: token ?? known ?? own, origin: options.url === undefined ? 'environment' : 'option' }
  }
  if (local) {
    // Once the bootstrap token is revoked, its file is gone.
    const own = findBootstrapToken(surroundings, dataDir) ?? tokenOfProfile(surroundings, local.url)
    return { url: local.url, token: token ?? own, origin: 'local' }
  }
  return profile && { url: profile.url, token: token ?? profile.token, origin: 'profile' }
}

/** The token of `signalbox login` for that address; undefined where it is kept for another one. */
export function tokenOfProfile(surroundings: Surroundings, url: string): string | undefined {
  const profile = findProfile(profilePath(surroundings))
  return profile && sameOrigin(profile.url, url) ? profile.token : undefined
}

/** A client for that control plane. Throws CommandFailed, with what to do, where none is known. */
export function connect(surroundings: Surroundings, options: ConnectionOptions): Client {
  const connection = findConnection(surroundings, options)
  if (connection) return new Client(connection)
  throw new CommandFailed(
    'unavailable',
    'No control plane is known here.',
    'Start one with `signalbox up`, sign in to one with `signalbox login --url <address>`, or set SIGNALBOX_URL.',
  )
}

/** Throws CommandFailed unless it is an http or https address. */
export function readAddress(address: string): string {
  if (URL.canParse(address) && /^https?:\/\//.test(address)) return address.replace(/\/+$/, '')
  throw new CommandFailed('usage', `"${address}" is no http or https address, such as http://127.0.0.1:8080.`)
}

function sameOrigin(left: string, right: string): boolean {
  return URL.canParse(left) && URL.canParse(right) && new URL(left).origin === new URL(right).origin
}
