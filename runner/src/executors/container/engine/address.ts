import { homedir } from 'node:os'
import { join } from 'node:path'
import { RunnerError, systemCode } from '../../../errors.ts'

/** Where a container engine listens. `text` is how it is written, for people. */
export type EngineAddress = { readonly text: string } & (
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
)

const PLAIN_PORT = 2375

function unix(path: string): EngineAddress {
  return { kind: 'unix', path, text: `unix://${path}` }
}

/**
 * Reads an address as `DOCKER_HOST` has it: `unix:///path` or `tcp://host:port`. Throws `runner.option_invalid` for
 * another one: `ssh://`, and TLS, whose certificates a workspace on another machine would not help.
 */
export function readEngineAddress(text: string): EngineAddress {
  if (text.startsWith('unix:///')) return unix(text.slice('unix://'.length))
  const match = /^(?:tcp|http):\/\/(\[[0-9a-fA-F:]+\]|[^/:[\]]+)(?::(\d{1,5}))?\/?$/.exec(text)
  if (match?.[1] !== undefined) {
    const port = match[2] === undefined ? PLAIN_PORT : Number(match[2])
    return { kind: 'tcp', host: match[1].replace(/^\[|\]$/g, ''), port, text }
  }
  throw new RunnerError(
    'runner.option_invalid',
    `--container-host must be unix:///path/to.sock, tcp://host:port or none, not ${JSON.stringify(text)}.`,
  )
}

/** The default addresses of Podman and Docker, in the order in which they are tried. */
export function usualAddresses(runtimeFolder: string | undefined): readonly EngineAddress[] {
  return [
    unix('/run/podman/podman.sock'),
    unix('/var/run/docker.sock'),
    ...(runtimeFolder === undefined ? [] : [unix(join(runtimeFolder, 'podman/podman.sock'))]),
    ...homeFolders().map((home) => unix(join(home, '.docker/run/docker.sock'))),
  ]
}

/** Empty for an account of which the machine knows only the number, as containers often have. */
function homeFolders(): string[] {
  try {
    return [homedir()]
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return []
  }
}
