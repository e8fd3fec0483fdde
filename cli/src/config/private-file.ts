import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { CommandFailed, messageOf } from '../errors.ts'

const OTHERS = 0o077

/** The text of a file that holds a token. Throws CommandFailed where other users may read it or write to it. */
export function readPrivateFile(path: string): string {
  const file = openSync(path, 'r')
  try {
    const { mode } = fstatSync(file)
    // Windows has no such modes.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw new CommandFailed(
        'usage',
        `${path} holds a token, and other users may read or change it (mode ${(mode & 0o777).toString(8)}).`,
        `chmod 600 ${path}`,
      )
    }
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** The token in that file, for --token-file. */
export function readTokenFile(path: string): string {
  const token = readOrSay(path).trim()
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new CommandFailed('usage', `${path} holds no token: one line of printable characters is expected.`)
}

function readOrSay(path: string): string {
  try {
    return readPrivateFile(path)
  } catch (error) {
    if (error instanceof CommandFailed) throw error
    throw new CommandFailed('usage', `The file of --token-file cannot be read: ${messageOf(error)}.`)
  }
}
