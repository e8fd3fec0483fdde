import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFile } from '../replace-file.ts'

/** Files that every checkout shares; none holds a secret. */
export interface GitFiles {
  folder: string
  configFile: string
  askpassFile: string
}

const GIT_CONFIG = `[gc]
	auto = 0
[maintenance]
	auto = false
[core]
	hooksPath = /dev/null
	fsmonitor = false
[credential]
	helper =
[advice]
	detachedHead = false
[checkout]
	workers = 0
[fetch]
	unpackLimit = 1
[submodule]
	recurse = false
[init]
	defaultBranch = main
`

// Git asks a question such as "Password for 'https://user@host':". The script answers for the repository's own origin
// only, so that a redirect to another host gets nothing.
const ASKPASS = `#!/bin/sh
case "$1" in
  "Username for '$SIGNALBOX_GIT_ORIGIN'"*|"Username for '$SIGNALBOX_GIT_ORIGIN/"*) printf '%s\\n' "$SIGNALBOX_GIT_USERNAME" ;;
  "Password for '$SIGNALBOX_GIT_SCHEME://"*"@$SIGNALBOX_GIT_HOST'"*|"Password for '$SIGNALBOX_GIT_SCHEME://"*"@$SIGNALBOX_GIT_HOST/"*) printf '%s\\n' "$SIGNALBOX_GIT_PASSWORD" ;;
  *) exit 1 ;;
esac
`

/** Writes the two files into `folder`, readable by the user that runs git. */
export function writeGitFiles(folder: string): GitFiles {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  chmodSync(folder, 0o755)
  const files = { folder, configFile: join(folder, 'gitconfig'), askpassFile: join(folder, 'askpass') }
  replaceFile(files.configFile, GIT_CONFIG, 0o644)
  replaceFile(files.askpassFile, ASKPASS, 0o755)
  return files
}

/**
 * Writes the settings for a checkout from a repository on this machine, and answers their path. The repository belongs to
 * another user than the task's, so git asks whether it may be trusted: this one may, and no other. A variable of the
 * environment could not say so, because git drops those before it opens the other repository.
 */
export function trustRepository({ folder, configFile }: GitFiles, repository: string): string {
  const path = join(folder, `local-${createHash('sha256').update(repository).digest('hex').slice(0, 16)}`)
  const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  const trusted = [repository, join(repository, '.git')].map((each) => `\tdirectory = ${quote(each)}\n`)
  replaceFile(path, `[include]\n\tpath = ${quote(configFile)}\n[safe]\n${trusted.join('')}`, 0o644)
  return path
}

export interface Credential {
  username: string
  password: string
  origin: string | undefined
}

export interface GitSurroundings {
  home: string
  path: string
  /** Protocols that git may use, separated by colons. */
  protocols: string
  configFile: string
}

/** Everything git sees of an environment. */
export function gitEnvironment(
  files: GitFiles,
  { home, path, protocols, configFile }: GitSurroundings,
  credential: Credential,
): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: path,
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configFile,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: files.askpassFile,
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_ADVICE: '0',
    // No repository that the work-dir lies in.
    GIT_CEILING_DIRECTORIES: dirname(home),
  }
  if (credential.password === '' || credential.origin === undefined) return environment
  const { protocol, host } = new URL(credential.origin)
  return {
    ...environment,
    SIGNALBOX_GIT_ORIGIN: credential.origin,
    SIGNALBOX_GIT_SCHEME: protocol.slice(0, -1),
    SIGNALBOX_GIT_HOST: host,
    SIGNALBOX_GIT_USERNAME: credential.username === '' ? 'git' : credential.username,
    SIGNALBOX_GIT_PASSWORD: credential.password,
  }
}
