import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { aPullRequestPayload, signDelivery } from '../../server/src/adapters/forges/github/testing.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { makePipeline, makeTeam, REPOSITORY, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const PIPELINE = 'name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "true" }\n'
const TOKEN = 'a-token-that-writes-comments'

/** The API of a provider as far as comments are made, changed and listed. */
async function startProvider() {
  const comments: { id: number; number: number; body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const text = Buffer.concat(chunks).toString('utf8')
    const path = (request.url ?? '').split('?')[0] ?? ''
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return answer(401, {})
    const number = Number(/\/issues\/(\d+)\/comments$/.exec(path)?.[1])
    if (number > 0 && request.method === 'GET')
      return answer(
        200,
        comments.filter((one) => one.number === number),
      )
    if (number > 0) {
      const comment = { id: comments.length + 1, number, body: String(JSON.parse(text).body) }
      comments.push(comment)
      return answer(201, comment)
    }
    const comment = comments.find(({ id }) => path.endsWith(`/issues/comments/${id}`))
    if (!comment) return answer(404, {})
    comment.body = String(JSON.parse(text).body)
    return answer(200, comment)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  return {
    url: `http://127.0.0.1:${address.port}`,
    of: (number: number) => comments.filter((one) => one.number === number),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('the comment of a pull request, where the control plane is killed', () => {
  const dataDir = makeDataDir()
  const points = ['reports.before_comment', 'reports.after_comment']
  /** Where this file is, the house dies at the point that its life was given. */
  const armed = join(dataDir, 'armed')
  let provider: Awaited<ReturnType<typeof startProvider>>
  let ports: { port: number; runnerPort: number }
  let house: House
  let team: Team & { readonly webhookSecret: string }

  const start = (life: number) => {
    const point = points[life]
    return startHouse({ dataDir, ports, env: point === undefined ? {} : { FAIL_POINT: `${point}@${armed}` } })
  }

  before(async () => {
    provider = await startProvider()
    ports = { port: await freePort(), runnerPort: await freePort() }
    house = await start(0)
    const made = await makeTeam(house.api, 'comments')
    const webhookSecret = 'a-secret-of-the-webhook'
    await house.api.send('POST', '/v1/secrets', { team_path: made.path, name: 'writer', value: TOKEN })
    await house.api.send('POST', '/v1/secrets', { team_path: made.path, name: 'signed', value: webhookSecret })
    const source = await house.api.send<{ id: string }>('POST', '/v1/git-webhook-sources', {
      name: 'commenting',
      provider: 'github',
      team_path: made.path,
      credential_ref: `secret:${made.path}/signed`,
      repository_allowlist: [REPOSITORY],
      base_url: provider.url,
      checkout_credential_ref: `secret:${made.path}/writer`,
    })
    team = { ...made, sourceId: source.id, webhookSecret }
    const pipeline = await makePipeline(house.api, team, PIPELINE)
    await house.api.send('POST', '/v1/triggers', {
      name: 'pulls',
      team_path: made.path,
      source_id: source.id,
      repositories: [REPOSITORY],
      events: ['pull_request'],
      pipeline,
      scope: `${made.path}/test`,
      report_comment: true,
    })
  })
  after(async () => {
    await house.stop()
    provider.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function open(number: number): Promise<void> {
    const repository = { full_name: REPOSITORY, clone_url: `${provider.url}/${REPOSITORY}.git` }
    const payload = aPullRequestPayload({ repository, number, head: number.toString(16).padStart(40, 'c') })
    const { headers, body } = signDelivery(payload, {
      secret: team.webhookSecret,
      event: 'pull_request',
      deliveryId: crypto.randomUUID(),
    })
    const url = `http://127.0.0.1:${ports.port}/v1/git/webhooks/${team.sourceId}`
    const answer = await fetch(url, { method: 'POST', headers, body })
    assert.equal(answer.status, 202, await answer.text())
  }

  for (const [at, point] of points.entries()) {
    test(`at ${point} is there once after the next start`, async () => {
      writeFileSync(armed, '')
      const number = 10 + at
      await open(number)
      assert.equal(await house.ended, 'SIGKILL', `the fail point was not reached; ${house.output()}`)
      rmSync(armed)
      assert.equal(provider.of(number).length, at)
      house = await start(at + 1)
      await waitFor(
        'the comment to be known',
        async () => {
          const runs = await house.api.get<{ run_id: string }[]>(`/v1/runs?pull_request=${number}`)
          const { body } = await house.api.ask('GET', `/v1/runs/${runs[0]?.run_id ?? ''}/reports`)
          return JSON.stringify(body)
        },
        (reports) => reports.includes('"written"'),
      )
      assert.equal(provider.of(number).length, 1)
      assert.match(provider.of(number)[0]?.body ?? '', /Waits for a runner/)
      assert.ok(!house.output().includes(TOKEN))
    })
  }
})
