import type { RepositoryAddress } from './port.ts'

/**
 * Everything that git sees: no configuration but this, no prompt, no helper, no hook, no redirect, http and https only.
 * The credential is a header of the repository's own origin; it stands in no argument and in no file.
 */
export function gitEnvironment({ cloneUrl, credential }: RepositoryAddress, home: string, path: string) {
  const settings: [string, string][] = [
    ['http.followRedirects', 'false'],
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '15'],
    ['credential.helper', ''],
    ['core.hooksPath', '/dev/null'],
    ['core.fsmonitor', 'false'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ['submodule.recurse', 'false'],
    ['fetch.fsckObjects', 'false'],
    ['transfer.unpackLimit', '1'],
  ]
  if (credential) {
    const value = Buffer.from(`${credential.username}:${credential.password}`, 'utf8').toString('base64')
    settings.push([`http.${new URL(cloneUrl).origin}/.extraHeader`, `Authorization: Basic ${value}`])
  }
  const environment: Record<string, string> = {
    PATH: path,
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    GIT_ALLOW_PROTOCOL: 'https:http',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_ADVICE: '0',
    GIT_CONFIG_COUNT: String(settings.length),
  }
  for (const [at, [key, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${at}`] = key
    environment[`GIT_CONFIG_VALUE_${at}`] = value
  }
  return environment
}
