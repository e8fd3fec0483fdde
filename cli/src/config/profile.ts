import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandFailed, messageOf, systemCode } from '../errors.ts'
import type { Surroundings } from '../surroundings.ts'
import { readPrivateFile } from './private-file.ts'

/** The content that `signalbox login` keeps: the address of the control plane, and the token for it. */
export interface Profile {
  readonly url: string
  readonly token: string
}

/** `$XDG_CONFIG_HOME/signalbox/config.json`, by default below ~/.config. */
export function profilePath({ env, home }: Surroundings): string {
  const configHome = env['XDG_CONFIG_HOME']
  // The XDG specification: a relative path there is to be ignored.
  const folder = configHome?.startsWith('/') ? configHome : join(home, '.config')
  return join(folder, 'signalbox', 'config.json')
}

/** The stored profile, or undefined. Throws CommandFailed where the file is damaged. */
export function findProfile(path: string): Profile | undefined {
  let text: string
  try {
    text = readPrivateFile(path)
  } catch (error) {
    if (error instanceof CommandFailed) throw error
    if (systemCode(error) === 'ENOENT') return undefined
    throw new CommandFailed('usage', `${path} cannot be read: ${messageOf(error)}.`)
  }
  const profile = parse(text)
  if (!profile) throw new CommandFailed('usage', `${path} is damaged.`, 'Run `signalbox login` again.')
  return profile
}

function parse(text: string): Profile | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('url' in value) || !('token' in value)) return undefined
    const { url, token } = value
    return typeof url === 'string' && typeof token === 'string' ? { url, token } : undefined
  } catch {
    return undefined
  }
}

/** Stores it for this user alone, in one step: a reader sees the old one or the new one. */
export function storeProfile(path: string, profile: Profile): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.new`
  writeFileSync(fresh, `${JSON.stringify(profile, undefined, 2)}\n`, { mode: 0o600 })
  chmodSync(fresh, 0o600)
  renameSync(fresh, path)
}

/** Whether there was one. */
export function removeProfile(path: string): boolean {
  const existed = findProfileText(path)
  rmSync(path, { force: true })
  return existed
}

function findProfileText(path: string): boolean {
  try {
    readFileSync(path)
    return true
  } catch {
    return false
  }
}
