import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { makePipeline, makeTeam, REPOSITORY, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const DOCUMENT = 'name: build\nsteps: [{ name: s, tasks: [{ name: t, checkout: false, run: "true" }] }]\n'
const TOKEN = 'a-token-that-reads-comments'
const HEAD = 'c'.repeat(40)
const MONA = { id: 583_231, login: 'mona', type: 'User' }

/** As much of GitHub as commands ask; it counts the reactions of each comment. */
async function startProvider() {
  const bodies = new Map<string, string>()
  const reactions: string[] = []
  const answerOf = (path: string): unknown => {
    if (path.endsWith('/collaborators/mona/permission')) return { permission: 'write', role_name: 'write', user: MONA }
    if (path.endsWith('/pulls/7')) {
      const repo = { id: 4711, full_name: REPOSITORY }
      return {
        number: 7,
        state: 'open',
        head: { ref: 'topic', sha: HEAD, repo },
        base: { ref: 'main', sha: HEAD, repo },
      }
    }
    const id = /\/issues\/comments\/(\d+)$/.exec(path)?.[1] ?? ''
    return bodies.has(id) ? { id: Number(id), body: bodies.get(id), user: MONA, issue_url: '/issues/7' } : undefined
  }
  const server = createServer((request, response) => {
    request.resume()
    const path = request.url ?? ''
    const reacted = /\/issues\/comments\/(\d+)\/reactions$/.exec(path)?.[1]
    if (reacted !== undefined) reactions.push(reacted)
    const found = reacted === undefined ? answerOf(path) : { id: 1 }
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  return {
    url: `http://127.0.0.1:${address.port}`,
    bodies,
    reacted: (id: string) => reactions.filter((each) => each === id).length,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('a command in a comment', () => {
  const dataDir = makeDataDir()
  const armed = join(dataDir, 'armed')
  const points = ['facts.before_reaction', 'commands.before_commit', 'commands.after_commit', 'commands.after_answer']
  let provider: Awaited<ReturnType<typeof startProvider>>
  let ports: { port: number; runnerPort: number }
  let house: House
  let team: Team
  const start = (life: number) => {
    const point = points[life]
    return startHouse({ dataDir, ports, env: point === undefined ? {} : { FAIL_POINT: `${point}@${armed}` } })
  }

  before(async () => {
    provider = await startProvider()
    ports = { port: await freePort(), runnerPort: await freePort() }
    house = await start(0)
    const made = await makeTeam(house.api, 'talking')
    await house.api.send('POST', '/v1/secrets', { team_path: made.path, name: 'reader', value: TOKEN })
    const source = await house.api.send<{ id: string }>('POST', '/v1/git-webhook-sources', {
      name: 'talking',
      provider: 'github',
      team_path: made.path,
      credential_ref: `secret:${made.path}/webhook`,
      repository_allowlist: [REPOSITORY],
      base_url: provider.url,
      checkout_credential_ref: `secret:${made.path}/reader`,
      comment_commands: true,
    })
    team = { ...made, sourceId: source.id }
    await house.api.send('POST', '/v1/triggers', {
      name: 'on-pull-request',
      team_path: team.path,
      source_id: team.sourceId,
      repositories: [REPOSITORY],
      events: ['pull_request'],
      pipeline: await makePipeline(house.api, team, DOCUMENT),
      scope: team.scope,
    })
  })
  after(async () => {
    await house.stop()
    provider.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** As GitHub sends it; a process that is killed answers nothing, and GitHub sends it again. */
  async function comment(id: string): Promise<void> {
    provider.bodies.set(id, '/run build')
    const at = new Date().toISOString()
    const [owner = '', name = ''] = REPOSITORY.split('/')
    const body = JSON.stringify({
      action: 'created',
      issue: { number: 7, title: 'x', labels: [], user: MONA, pull_request: { merged_at: null } },
      comment: { id: Number(id), body: '/run build', user: MONA, created_at: at, updated_at: at },
      repository: {
        id: 4711,
        name,
        full_name: REPOSITORY,
        owner: { login: owner },
        private: false,
        clone_url: `${provider.url}/${REPOSITORY}.git`,
      },
      sender: MONA,
    })
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'issue_comment',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', team.webhookSecret).update(body).digest('hex')}`,
    }
    const { status } = await fetch(`${house.api.url}/v1/git/webhooks/${team.sourceId}`, {
      method: 'POST',
      headers,
      body,
    })
    assert.ok(status < 300)
  }

  interface Listed {
    readonly comment_id: string
    readonly state: string
    readonly told_at: string | null
    readonly run_ids: readonly string[]
  }
  const list = () => house.api.get<Listed[]>(`/v1/comment-commands?source_id=${team.sourceId}`)

  for (const [at, point] of points.entries()) {
    test(`killed at ${point} starts one run, and is answered`, async () => {
      const id = String(100 + at)
      writeFileSync(armed, '')
      await comment(id)
      assert.equal(await house.ended, 'SIGKILL', `the fail point was not reached; ${house.output()}`)
      rmSync(armed)
      house = await start(at + 1)
      const commands = await waitFor('the command to be answered', list, (found) =>
        found.some((each) => each.comment_id === id && each.told_at !== null),
      )
      const [command, ...others] = commands.filter((each) => each.comment_id === id)
      assert.deepEqual([command?.state, command?.run_ids.length, others.length], ['done', 1, 0])
      const runs = await house.api.get<{ run_id: string }[]>('/v1/runs?limit=500')
      assert.equal(runs.length, at + 1)
      assert.ok(provider.reacted(id) >= 1)
      assert.ok(!house.output().includes(TOKEN))
    })
  }
})
