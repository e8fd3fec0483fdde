import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveRepositories } from '../../runner/src/testing/repositories.ts'

/** Real repositories below a folder, served over HTTP by real Git to whoever knows the password. */
export interface GitHost {
  readonly url: string
  readonly folder: string
  readonly username: string
  readonly password: string
  close(): void
}

/** A control plane believes in it only with `PROVIDER_HOSTS` 127.0.0.1. */
export async function startGitHost(): Promise<GitHost> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-git-host-'))
  const [username, password] = ['reader', randomBytes(12).toString('hex')]
  const server = await serveRepositories(folder, username, password)
  return {
    url: server.url,
    folder,
    username,
    password,
    close() {
      server[Symbol.dispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
