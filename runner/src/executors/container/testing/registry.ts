import { createReadStream, existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { freePort } from '../../../testing/free-port.ts'
import type { TestPodman } from './podman.ts'

/** A registry of one image. */
export type TestRegistry = AsyncDisposable & {
  /** `127.0.0.1:port`. */
  host: string
  /** The folder of the image, as `podman save --format oci-dir` writes it. */
  serve(folder: string): void
  /** Layers are held back for ever from now on, or no more. */
  holdBack(held: boolean): void
  /** Resolves when somebody waits for a layer that is held back. */
  heldBack(): Promise<void>
  /** Whether it asks for a password; it does at first. */
  demandPassword(demanded: boolean): void
  /** Nobody listens any more, or again at the same port. */
  stop(): Promise<void>
  start(): Promise<void>
  /** How many requests there were. */
  requests(): number
  /** The credentials in requests, each once; a Basic one in plain. */
  heard(): string[]
  /** As new: it asks for a password, has heard nothing and sends nobody elsewhere. */
  forget(): void
  /** Requests for these are sent on to another registry, by its host. */
  redirect(kind: Redirected, to: TestRegistry): void
  /** The registry takes tokens that the other registry gives for the password. */
  demandToken(from: TestRegistry): void
}

/** A greeting, a manifest or a layer. */
export type Redirected = 'v2' | 'manifests' | 'blobs'

export const registryAccount = { username: 'puller', password: 'the-password-of-the-registry' }

const authorization = `Basic ${Buffer.from(`${registryAccount.username}:${registryAccount.password}`).toString('base64')}`

const token = 'a-token-of-the-registry'

const readAuthorization = (header: string): string =>
  header.startsWith('Basic ') ? Buffer.from(header.slice(6), 'base64').toString() : header

export interface RegistryOptions {
  /** One of loopback: hosts differ by it. */
  address?: string
}

export const startRegistry = async ({ address = '127.0.0.1' }: RegistryOptions = {}): Promise<TestRegistry> => {
  let folder = ''
  let held = false
  let demanded = true
  let requests = 0
  const port = await freePort()
  const heard = new Set<string>()
  const redirects = new Map<Redirected, TestRegistry>()
  let tokensOf: TestRegistry | undefined
  const waiting = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    requests++
    const said = request.headers.authorization
    if (said !== undefined) heard.add(readAuthorization(said))
    const [, kind, reference = ''] = /\/(manifests|blobs)\/([^/]+)$/.exec(request.url ?? '') ?? []
    const elsewhere = redirects.get(kind === 'manifests' || kind === 'blobs' ? kind : 'v2')
    const accepted = tokensOf === undefined ? authorization : `Bearer ${token}`
    if (request.url?.startsWith('/token')) response.writeHead(200).end(JSON.stringify({ token, access_token: token }))
    else if (elsewhere !== undefined && (said === accepted || kind === undefined)) {
      response.writeHead(307, { Location: `http://${elsewhere.host}${request.url}` }).end()
    } else if (demanded && said !== accepted) {
      const realm = tokensOf === undefined ? 'Basic realm="test"' : `Bearer realm="http://${tokensOf.host}/token"`
      response.writeHead(401, { 'WWW-Authenticate': realm }).end()
    } else if (kind === undefined) response.writeHead(200).end('{}')
    else if (kind === 'manifests') sendManifest(response, folder, reference)
    else if (held) waiting.resolve()
    else sendBlob(response, folder, reference, 'application/octet-stream')
  })
  const start = async (): Promise<void> => {
    await new Promise<void>((resolve) => server.listen(port, address, resolve))
  }
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await start()
  return {
    host: `${address}:${port}`,
    serve: (path) => {
      folder = path
    },
    holdBack: (wanted) => {
      held = wanted
    },
    heldBack: () => waiting.promise,
    demandPassword: (wanted) => {
      demanded = wanted
    },
    stop,
    start,
    requests: () => requests,
    heard: () => [...heard],
    forget: () => {
      heard.clear()
      redirects.clear()
      tokensOf = undefined
      demanded = true
    },
    redirect: (kind, to) => {
      redirects.set(kind, to)
    },
    demandToken: (from) => {
      tokensOf = from
    },
    [Symbol.asyncDispose]: stop,
  }
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json'

const sendManifest = (response: ServerResponse, folder: string, reference: string): void => {
  const index: { manifests: { digest: string }[] } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'))
  const digest = index.manifests[0]?.digest ?? ''
  if (reference !== 'latest' && reference !== '1' && reference !== digest) response.writeHead(404).end('{}')
  else sendBlob(response, folder, digest, manifestType)
}

const sendBlob = (response: ServerResponse, folder: string, digest: string, type: string): void => {
  const file = join(folder, 'blobs', digest.replace(':', '/'))
  if (!existsSync(file)) {
    response.writeHead(404).end('{}')
    return
  }
  response.writeHead(200, { 'Content-Type': type, 'Docker-Content-Digest': digest })
  createReadStream(file).pipe(response)
}

/** Makes an image as a registry serves it, which the engine does not keep. Answers its folder. */
export const makeServedImage = (podman: TestPodman, folder: string, name: string, ...changes: string[]): string => {
  const local = `localhost/${name}:1`
  const saved = join(folder, name)
  podman.makeImage(local, ...changes)
  podman.run('save', '--format', 'oci-dir', '--output', saved, local)
  podman.run('image', 'rm', local)
  return saved
}
