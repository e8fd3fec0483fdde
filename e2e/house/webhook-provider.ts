import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'

/** A repository webhook as GitHub documents it; the secret is never answered. */
export interface ProviderHook {
  readonly id: number
  readonly active: boolean
  readonly events: readonly string[]
  readonly config: Readonly<Record<string, string>>
}

/** The answer to every call from now on. */
export interface FixedAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * GitHub's API for the webhooks of one repository. Each new webhook gets a signed ping, and each request for a ping
 * another.
 */
export interface WebhookProvider {
  readonly url: string
  readonly token: string
  /** The webhooks as stored, with their secrets. */
  readonly hooks: readonly ProviderHook[]
  /** The methods and paths of all calls, oldest first. */
  readonly calls: readonly string[]
  /** How each ping was answered. */
  readonly pings: readonly number[]
  /** Changes a webhook as a person does in the settings of the repository. */
  change(id: number, fields: Partial<ProviderHook>): void
  forget(id: number): void
  /** Undefined: by what it documents. */
  answerAll(answer: FixedAnswer | undefined): void
  /** Calls wait for the answer until `release`; resolves when one waits. */
  hold(): { readonly waiting: Promise<void>; release(): void }
  close(): void
}

const FIRST_ID = 700

export async function startWebhookProvider(repository: string): Promise<WebhookProvider> {
  const token = randomUUID()
  const path = `/api/v3/repos/${repository}/hooks`
  const hooks = new Map<number, ProviderHook>()
  const calls: string[] = []
  const pings: number[] = []
  let made = FIRST_ID
  let fixed: FixedAnswer | undefined
  let held: { readonly until: Promise<void>; reached(): void } | undefined

  const server = createServer(async (request, response) => {
    calls.push(`${request.method} ${request.url}`)
    held?.reached()
    await held?.until
    if (fixed) return void response.writeHead(fixed.status, fixed.headers).end(fixed.body)
    if (request.headers.authorization !== `Bearer ${token}`)
      return answer(response, 401, { message: 'Bad credentials' })
    return serve(request, response)
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', 'http://provider')
    const [, id, action] = /^(?:\/(\d+)(?:\/(pings))?)?$/.exec(pathname.replace(path, '')) ?? []
    const hook = hooks.get(Number(id))
    if (!pathname.startsWith(path) || (id !== undefined && !hook))
      return answer(response, 404, { message: 'Not Found' })
    switch (`${request.method} ${id === undefined ? '' : (action ?? 'hook')}`) {
      case 'GET ':
        return answer(response, 200, [...hooks.values()].map(shown))
      case 'POST ':
        return create(await read(request), response)
      case 'PATCH hook':
        return update(hook, await read(request), response)
      case 'DELETE hook':
        hooks.delete(Number(id))
        return answer(response, 204)
      case 'POST pings':
        if (hook) void ping(hook)
        return answer(response, 204)
      default:
        return answer(response, 404, { message: 'Not Found' })
    }
  }

  function create(wanted: Partial<ProviderHook>, response: ServerResponse): void {
    const hook = {
      id: made++,
      active: wanted.active ?? true,
      events: wanted.events ?? ['push'],
      config: wanted.config ?? {},
    }
    if ([...hooks.values()].some(({ config }) => config['url'] === hook.config['url'])) {
      return answer(response, 422, { message: 'Hook already exists on this repository' })
    }
    hooks.set(hook.id, hook)
    void ping(hook)
    return answer(response, 201, shown(hook))
  }

  function update(hook: ProviderHook | undefined, wanted: Partial<ProviderHook>, response: ServerResponse): void {
    if (!hook) return answer(response, 404, { message: 'Not Found' })
    const changed = { ...hook, ...wanted, id: hook.id }
    hooks.set(hook.id, changed)
    return answer(response, 200, shown(changed))
  }

  async function ping({ id, config }: ProviderHook): Promise<void> {
    const body = JSON.stringify({
      zen: 'Keep it logically awesome.',
      hook_id: id,
      repository: { id: 4711, full_name: repository },
    })
    const signature = createHmac('sha256', config['secret'] ?? '')
      .update(body)
      .digest('hex')
    const answered = await fetch(config['url'] ?? '', {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'ping',
        'x-github-delivery': randomUUID(),
        'x-github-hook-id': String(id),
        'x-hub-signature-256': `sha256=${signature}`,
      },
    })
    await answered.arrayBuffer()
    pings.push(answered.status)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The provider has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    token,
    get hooks() {
      return [...hooks.values()]
    },
    calls,
    pings,
    change(id, fields) {
      const hook = hooks.get(id)
      if (hook) hooks.set(id, { ...hook, ...fields })
    },
    forget: (id) => void hooks.delete(id),
    answerAll: (given) => void (fixed = given),
    hold() {
      const [until, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      held = { until: until.promise, reached: waiting.resolve }
      return {
        waiting: waiting.promise,
        release() {
          held = undefined
          until.resolve()
        },
      }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function shown(hook: ProviderHook): ProviderHook {
  return { ...hook, config: { ...hook.config, secret: '********' } }
}

/** The body is not checked: only the product calls. */
async function read(request: IncomingMessage): Promise<Partial<ProviderHook>> {
  return Object(await json(request))
}

function answer(response: ServerResponse, status: number, body?: unknown): void {
  if (body === undefined) response.writeHead(status).end()
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
