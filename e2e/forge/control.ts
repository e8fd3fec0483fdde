import { createClock } from './clock.ts'
import { type Fields, fieldsOf, isFields, textOf, textsOf } from './fields.ts'
import { describeDelivery } from './github/delivery-log.ts'
import { describeCheckRun, describeComment, describeStatus } from './github/describe.ts'
import type { GithubForge } from './github/index.ts'
import { fullNameOf, getRepository, type Installation, type Repository, type Role } from './github/world.ts'
import { type Answer, type Call, Refusal } from './http/call.ts'
import { createFaults } from './http/faults.ts'
import { readFault, readPostFault } from './http/read-fault.ts'
import { createRouter, type Route } from './http/route.ts'
import { type ForgeServer, startForgeServer } from './http/server.ts'

const ROLES: readonly Role[] = ['read', 'triage', 'write', 'maintain', 'admin']

/** A second server, on this machine only, by which another process does what people do at the forge. */
export function startControl(forge: GithubForge, port = 0): Promise<ForgeServer> {
  return startForgeServer({
    clock: createClock(),
    faults: createFaults(''),
    router: createRouter(controlRoutes(forge)),
    port,
    takesStream: () => false,
    stream: () => Promise.resolve(),
    refuse: () => undefined,
    async answer(_call, handle) {
      try {
        return await handle()
      } catch (error) {
        // What the forge says of a name that it does not know.
        return wrong(error instanceof Error ? error.message : String(error))
      }
    },
    notFound: ({ method, path }) => ({ status: 404, body: { error: `There is no ${method} ${path}.` } }),
    malformedBody: () => wrong('The body is no JSON object.'),
  })
}

function wrong(sentence: string): Answer {
  return { status: 400, body: { error: sentence } }
}

function controlRoutes(forge: GithubForge): readonly Route[] {
  return [...worldRoutes(forge), ...peopleRoutes(forge), ...faultRoutes(forge), ...readingRoutes(forge)]
}

function worldRoutes(forge: GithubForge): readonly Route[] {
  return [
    route('POST', '/repositories', async ({ body }) => {
      const [files, forkOf] = [body['files'], textOf(body, 'fork_of')]
      const repository = await forge.addRepository(need(body, 'full_name'), {
        private: body['private'] !== false,
        branches: textsOf(body, 'branches'),
        ...(files === undefined ? {} : { files: readFiles(body) }),
        ...(forkOf === undefined ? {} : { forkOf }),
      })
      return describeShortly(forge, repository)
    }),
    route('POST', '/permissions', ({ body }) => {
      const role = ROLES.find((one) => one === body['role']) ?? null
      forge.permit(need(body, 'repository'), need(body, 'login'), role)
      return { login: body['login'], role }
    }),
    route('POST', '/tokens', ({ body }) => ({ token: forge.addToken(need(body, 'login')) })),
    route('POST', '/clock', ({ body }) => {
      forge.clock.advance(numberOf(body, 'advance_ms'))
      return { now: forge.clock.text() }
    }),
    route('POST', '/registrations', async ({ body }) =>
      lead(body, await forge.confirmRegistration(need(body, 'form_url'), fieldsOf(body, 'manifest'))),
    ),
    route('POST', '/installations', async ({ body }) => {
      const choice = {
        account: need(body, 'account'),
        repositories: textsOf(body, 'repositories'),
        do: body['do'] === 'request' ? ('request' as const) : ('install' as const),
      }
      return lead(body, await forge.confirmInstallation(need(body, 'install_url'), choice))
    }),
    route('POST', '/installations/{id}/{action}', ({ params, body }) => {
      const installation = installationOf(forge, params['id'])
      changeInstallation(forge, installation, params['action'] ?? '', textsOf(body, 'repositories'))
      return { installation_id: installation.id }
    }),
  ]
}

function changeInstallation(forge: GithubForge, installation: Installation, action: string, names: readonly string[]) {
  switch (action) {
    case 'suspend':
      return forge.suspend(installation)
    case 'unsuspend':
      return forge.unsuspend(installation)
    case 'uninstall':
      return forge.uninstall(installation)
    case 'accept-permissions':
      return forge.acceptPermissions(installation)
    case 'add-repositories':
      return forge.addRepositories(installation, ...names)
    case 'remove-repositories':
      return forge.removeRepositories(installation, ...names)
    default:
      throw new Error(`Nobody does "${action}" to an installation.`)
  }
}

function peopleRoutes(forge: GithubForge): readonly Route[] {
  return [
    route('POST', '/pushes', ({ body }) => {
      const [ref, message, by, onto] = ['ref', 'message', 'by', 'onto'].map((name) => textOf(body, name))
      return forge.push(need(body, 'repository'), {
        files: readFiles(body),
        ...(ref === undefined ? {} : { ref }),
        ...(message === undefined ? {} : { message }),
        ...(by === undefined ? {} : { by }),
        ...(onto === undefined ? {} : { onto }),
      })
    }),
    route('POST', '/pulls', async ({ body }) => {
      const [from, base, title, by] = ['from', 'base', 'title', 'by'].map((name) => textOf(body, name))
      const { number, headSha } = await forge.openPull(need(body, 'repository'), {
        head: need(body, 'head'),
        ...(from === undefined ? {} : { from }),
        ...(base === undefined ? {} : { base }),
        ...(title === undefined ? {} : { title }),
        ...(by === undefined ? {} : { by }),
      })
      return { number, head_sha: headSha }
    }),
    route('POST', '/pulls/{number}/close', ({ params, body }) => {
      forge.closePull(need(body, 'repository'), Number(params['number']), body['merged'] === true)
      return { number: Number(params['number']) }
    }),
    route('POST', '/comments', ({ body }) => {
      const [repository, by] = [need(body, 'repository'), need(body, 'by')]
      return { id: forge.comment(repository, numberOf(body, 'number'), by, need(body, 'body')).id }
    }),
    route('POST', '/rerequests', ({ body }) => {
      forge.rerequest(need(body, 'repository'), numberOf(body, 'check_run_id'), need(body, 'by'))
      return { check_run_id: body['check_run_id'] }
    }),
    route('POST', '/settle', async () => {
      await forge.mailbox.settle()
      return { deliveries: forge.mailbox.deliveries.length }
    }),
  ]
}

function faultRoutes({ faults, mailbox }: GithubForge): readonly Route[] {
  return [
    route('POST', '/faults', ({ body }) => {
      const fault = readFault(fieldsOf(body, 'fault'))
      if (!fault) throw new Error('The fault is none that http/faults.ts names.')
      const { times } = body
      faults.set(need(body, 'pattern'), fault, typeof times === 'number' ? times : undefined)
      return { pattern: body['pattern'] }
    }),
    route('DELETE', '/faults', () => {
      faults.clear()
      return {}
    }),
    route('POST', '/webhook-faults', ({ body }) => {
      const fault = readPostFault(body['fault'])
      if (!fault) throw new Error('The fault is none that webhooks/mailbox.ts names.')
      const { times } = body
      mailbox.spoil(textOf(body, 'event') ?? '*', fault, typeof times === 'number' ? times : undefined)
      return { fault }
    }),
    route('DELETE', '/webhook-faults', () => {
      mailbox.heal()
      return {}
    }),
    route('POST', '/webhook-faults/release', ({ body }) => {
      mailbox.release(body['order'] === 'newest_first' ? 'newest_first' : 'in_order')
      return {}
    }),
  ]
}

function readingRoutes(forge: GithubForge): readonly Route[] {
  const { world, mailbox } = forge
  const repositoryOf = ({ query }: Call): Repository => getRepository(world, query.get('repository') ?? '')
  return [
    route('GET', '/state', () => ({
      url: forge.url,
      repositories: [...world.repositories.values()].map((repository) => describeShortly(forge, repository)),
      apps: [...world.apps.values()].map(({ id, slug, hook }) => ({ id, slug, webhook_url: hook.url })),
      installations: [...world.installations.values()].map((installation) => ({
        id: installation.id,
        account: installation.account.login,
        app: installation.app.slug,
        suspended: installation.suspendedAt !== null,
      })),
    })),
    route('GET', '/statuses', (call) => {
      const repository = repositoryOf(call)
      const sha = call.query.get('sha')
      const found = repository.statuses.filter((status) => sha === null || status.sha === sha)
      return found.map((status) => describeStatus(world, repository, status))
    }),
    route('GET', '/checks', (call) => {
      const repository = repositoryOf(call)
      const sha = call.query.get('sha')
      const found = [...repository.checkRuns.values()].filter((check) => sha === null || check.headSha === sha)
      return found.map((check) => ({
        ...describeCheckRun(world, repository, check),
        annotations: check.annotations,
        actions: check.actions,
      }))
    }),
    route('GET', '/comments', (call) => {
      const repository = repositoryOf(call)
      const number = call.query.get('number')
      const found = [...repository.comments.values()].filter((one) => number === null || String(one.number) === number)
      return found.map((comment) => describeComment(world, repository, comment))
    }),
    route('GET', '/deliveries', () => mailbox.deliveries.map(describeDelivery)),
    route('GET', '/calls', () => forge.calls.map(({ line, status, body }) => ({ line, status, body }))),
    route('GET', '/unexpected', () => forge.unexpected),
  ]
}

function describeShortly({ url }: GithubForge, repository: Repository): Fields {
  const fullName = fullNameOf(repository)
  return {
    full_name: fullName,
    clone_url: `${url}/${fullName}.git`,
    private: repository.private,
    refs: Object.fromEntries(repository.refs),
    pulls: [...repository.pulls.values()].map(({ number, headSha, state }) => ({ number, head_sha: headSha, state })),
  }
}

function route(method: Route['method'], path: string, handle: (call: Call) => unknown): Route {
  return { method, path: `/_control${path}`, handle: async (call) => ({ status: 200, body: await handle(call) }) }
}

/** Where a browser is led to; with `follow` the browser goes there, and is led on. */
async function lead(body: Fields, location: URL): Promise<Fields> {
  if (body['follow'] !== true) return { location: location.href }
  const answer = await fetch(location, { redirect: 'manual' })
  return { location: location.href, status: answer.status, led_to: answer.headers.get('location') }
}

function installationOf({ world }: GithubForge, id: string | undefined): Installation {
  const installation = world.installations.get(Number(id))
  if (!installation) throw new Error(`The forge has no installation ${id}.`)
  return installation
}

function need(body: Fields, name: string): string {
  const text = textOf(body, name)
  if (text === undefined) throw new Refusal(wrong(`"${name}" is missing.`))
  return text
}

function numberOf(body: Fields, name: string): number {
  const value = body[name]
  if (typeof value !== 'number') throw new Refusal(wrong(`"${name}" must be a number.`))
  return value
}

/** The contents of files by their paths. */
function readFiles(body: Fields): Readonly<Record<string, string>> {
  const files = isFields(body['files']) ? body['files'] : {}
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) => (typeof text === 'string' ? [[path, text]] : [])),
  )
}
