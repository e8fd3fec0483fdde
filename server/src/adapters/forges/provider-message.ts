import { isObject } from './json-object.ts'

const MOST_READ = 2_000
const MOST_TOLD = 200

/** How tokens and keys of the providers begin. */
const SECRET = /^(?:gh[a-z]_|github_pat_|gl[a-z]*-|ey[JK]|v\d\.|-----)/
/** Hosts, addresses, paths of files, people: any word with a dot, an at or a colon inside it. */
const ADDRESS = /\w\.\w|[@\\]|:.*:|:\/\/|^\/\/|:\d/
/** No word of a sentence is that long and has digits in it; digests, tokens and keys are. */
const LONG = /^(?=.*\d).{20,}$/

/**
 * The `message` of a provider's refusal as one plain line for a reason: at most 200 characters, without control and
 * bidirectional characters, markup, addresses and what may be a secret. Undefined where there is none, or where it holds
 * one of `secrets`: what the call sent.
 */
export function readProviderMessage(body: unknown, secrets: readonly string[]): string | undefined {
  const raw = messageOf(body)
  if (raw === undefined || secrets.some((secret) => secret !== '' && raw.includes(secret))) return undefined
  const words = raw
    .slice(0, MOST_READ)
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[<>&`"“”[\](){}|*~#!]/g, '')
    .trim()
    .split(' ')
    .map((word) => (SECRET.test(word) || ADDRESS.test(word) || LONG.test(word) ? '…' : word))
  const line = [...words.join(' ')].slice(0, MOST_TOLD).join('').trim()
  return /[\p{L}\p{N}]/u.test(line) ? line.replace(/\.+$/, '') : undefined
}

/** GitHub, Gitea and GitLab write `message`; OAuth's errors have words of their own. */
function messageOf(body: unknown): string | undefined {
  if (!isObject(body)) return undefined
  return [body['message'], body['error_description'], body['error']].find((value) => typeof value === 'string')
}
