import { spawn } from 'node:child_process'
import { withoutNewPrivileges } from '../../processes/no-new-privileges.ts'
import type { Owner } from '../../processes/running-process.ts'

// Somebody may go on writing where it works; then it would not end.
const LONGEST_MS = 600_000

/**
 * Runs a small program as the user that runs tasks, without the runner's own environment, which that user could read.
 * The files that are left show what the program could not do.
 */
export function runAs(owner: Owner | undefined, file: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const command = withoutNewPrivileges(file, args)
    const child = spawn(command.file, command.args, {
      ...owner,
      cwd: '/',
      stdio: 'ignore',
      env: {},
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    })
    child.on('error', reject)
    child.on('close', () => resolve())
  })
}
