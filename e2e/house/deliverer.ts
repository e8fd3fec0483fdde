import { createHash, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { type GithubDelivery, githubPush } from '../../cli/src/demo/github-push.ts'
import type { Api } from './api.ts'
import { listAll } from './pages.ts'
import { REPOSITORY, type Team } from './team.ts'

/** One push with a commit of its own, so that its run can be told from all others. */
export interface PreparedDelivery {
  readonly deliveryId: string
  readonly commitSha: string
  readonly signed: GithubDelivery
}

/** The result of one sending; `undefined`: the connection ended without an answer. */
export interface Answered {
  readonly status: number | undefined
  readonly retryAfter: string | undefined
}

export interface Deliverer {
  send(delivery: PreparedDelivery): Promise<Answered>
  /**
   * Delivers as a provider that insists: sends again, with the same id, until the answer is below 500. Answers each
   * answer.
   */
  insist(delivery: PreparedDelivery): Promise<readonly Answered[]>
  close(): void
}

export function preparePushes(team: Team, count: number, name = 'push'): PreparedDelivery[] {
  return Array.from({ length: count }, (_, at) => {
    const deliveryId = randomUUID()
    const commitSha = createHash('sha1').update(`${name} ${at}`).digest('hex')
    const signed = githubPush({
      repository: {
        id: 4711,
        fullName: REPOSITORY,
        cloneUrl: 'https://git.example/acme/shop.git',
        defaultBranch: 'main',
      },
      ref: 'refs/heads/main',
      before: '1'.repeat(40),
      after: commitSha,
      commits: [],
      secret: team.webhookSecret,
      deliveryId,
    })
    return { deliveryId, commitSha, signed }
  })
}

const NO_ANSWER_MS = 180_000
const PAUSE_MS = 50

/** Sends to one source over so many connections at most. */
export function createDeliverer(url: string, team: Team, connections: number): Deliverer {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(url)
  const path = `/v1/git/webhooks/${team.sourceId}`

  function send({ signed: { headers, body } }: PreparedDelivery): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const given = { ...headers, 'content-length': String(body.length) }
      const outgoing = request({ agent, hostname, port, path, method: 'POST', headers: given, timeout: NO_ANSWER_MS })
      outgoing.on('timeout', () => {
        reject(new Error(`no answer within ${NO_ANSWER_MS} ms`))
        outgoing.destroy()
      })
      outgoing.on('error', () => resolve({ status: undefined, retryAfter: undefined }))
      outgoing.on('response', (response) => {
        response.on('error', () => resolve({ status: undefined, retryAfter: undefined }))
        response.on('end', () => resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'] }))
        response.resume()
      })
      outgoing.end(body)
    })
  }

  return {
    send,
    async insist(delivery) {
      const answers: Answered[] = []
      for (;;) {
        const answered = await send(delivery)
        answers.push(answered)
        if (answered.status !== undefined && answered.status < 500) return answers
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    },
    close: () => agent.destroy(),
  }
}

export interface StoredDelivery {
  readonly id: string
  readonly delivery_id: string | null
  readonly result: string
  readonly status_code: number
  readonly run_ids: readonly string[]
}

/** The records of a source, and its team's runs by their commit. */
export async function readStored(api: Api, team: Team) {
  const deliveries = await listAll<StoredDelivery>(api, `/v1/git-webhook-sources/${team.sourceId}/deliveries`)
  const runs = await listAll<{ run_id: string; commit_sha: string; team_path: string }>(api, '/v1/runs')
  return {
    deliveries: Map.groupBy(deliveries, (delivery) => delivery.delivery_id ?? ''),
    runs: Map.groupBy(
      runs.filter((run) => run.team_path === team.path),
      (run) => run.commit_sha,
    ),
  }
}
