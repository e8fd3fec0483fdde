import { createReadStream, existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { freePort } from '../../../testing/free-port.ts'

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
}

export const registryAccount = { username: 'puller', password: 'the-password-of-the-registry' }

const authorization = `Basic ${Buffer.from(`${registryAccount.username}:${registryAccount.password}`).toString('base64')}`

export const startRegistry = async (): Promise<TestRegistry> => {
  let folder = ''
  let held = false
  let demanded = true
  let requests = 0
  const port = await freePort()
  const waiting = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    requests++
    const [, kind, reference = ''] = /\/(manifests|blobs)\/([^/]+)$/.exec(request.url ?? '') ?? []
    if (demanded && request.headers.authorization !== authorization) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="test"' }).end()
    } else if (kind === undefined) response.writeHead(200).end('{}')
    else if (kind === 'manifests') sendManifest(response, folder, reference)
    else if (held) waiting.resolve()
    else sendBlob(response, folder, reference, 'application/octet-stream')
  })
  const start = async (): Promise<void> => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  }
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await start()
  return {
    host: `127.0.0.1:${port}`,
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
