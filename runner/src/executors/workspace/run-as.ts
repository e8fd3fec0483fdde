import { spawn } from 'node:child_process'
import type { Owner } from '../../processes/running-process.ts'

/**
 * Runs a small program as the user that runs tasks, without the runner's own environment, which that user could read.
 * What it could not do shows in what is left.
 */
export const runAs = (owner: Owner | undefined, file: string, args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...owner, cwd: '/', stdio: 'ignore', env: {} })
    child.on('error', reject)
    child.on('close', () => resolve())
  })
