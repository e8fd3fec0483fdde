import { spawnSync } from 'node:child_process'
import { findPrograms } from './find-programs.ts'
import { readText } from './read-text.ts'

/**
 * Keeps processes of the runner from gaining rights by execve, by the kernel's no_new_privs. With it setuid and setgid
 * bits and file capabilities mean nothing. Every child process inherits it for ever. `before` stands before a command.
 */
export interface NoNewPrivileges {
  readonly held: boolean
  readonly before: readonly string[]
}

// util-linux and BusyBox both understand it.
const FLAGS = ['--no-new-privs', '--']

function find(): NoNewPrivileges {
  if (/^NoNewPrivs:\s*1$/m.test(readText('/proc/self/status'))) return { held: true, before: [] }
  for (const program of findPrograms('setpriv')) {
    const tried = spawnSync(program, [...FLAGS, '/bin/sh', '-c', ':'], { cwd: '/', env: {}, stdio: 'ignore' })
    if (tried.status === 0) return { held: true, before: [program, ...FLAGS] }
  }
  return { held: false, before: [] }
}

let found: NoNewPrivileges | undefined

/** The machine's program for it; looked up once, because a machine does not change. */
export function noNewPrivileges(): NoNewPrivileges {
  found ??= find()
  return found
}

/** A command that can never gain rights which its user does not have, where the machine can hold that. */
export function withoutNewPrivileges(
  file: string,
  args: readonly string[],
): { readonly file: string; readonly args: string[] } {
  const [first = file, ...rest] = [...noNewPrivileges().before, file, ...args]
  return { file: first, args: rest }
}
