import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Asked, ask, startReceiver } from '../testing.ts'
import { readDescription } from './description.ts'
import { API, type GithubForge } from './index.ts'
import { startWithApp } from './testing.ts'

/** The forge is held to GitHub's own description: each operation, each answer, each delivery. */
describe('the fake GitHub', () => {
  const description = readDescription()
  const seen = new Set<string>()
  const faults: string[] = []
  let forge: GithubForge
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let parts: Awaited<ReturnType<typeof startWithApp>>

  before(async () => {
    receiver = await startReceiver()
    parts = await startWithApp(receiver.url)
    forge = parts.forge
  })
  after(async () => {
    await forge.close()
    receiver.close()
  })

  /** `operation` is the one that the description must have; `path` is below the API. */
  async function say(operation: string, path: string, asked: Asked, expected: number) {
    const [method] = operation.split(' ')
    const answer = await ask(`${method} ${forge.url}${API}${path}`, asked)
    assert.equal(answer.status, expected, `${operation} ${JSON.stringify(answer.body)}`)
    faults.push(...description.findFaults(operation, answer.status, answer.body))
    if (expected < 300) seen.add(operation)
    return answer.body
  }

  test('answers every operation as described', async () => {
    const { installation, jwt } = parts
    const repo = '/repos/{owner}/{repo}'
    const at = '/repos/acme/shop'
    const asApp = () => ({ token: jwt() })
    await forge.push('acme/shop', { ref: 'refs/heads/topic', files: { 'src/a.ts': 'a\n', 'README.md': 'the shop\n' } })
    const pull = await forge.openPull('acme/shop', { head: 'topic', by: 'grace' })
    forge.permit('acme/shop', 'grace', 'maintain')

    const led = await forge.confirmRegistration(`${forge.url}/organizations/acme/settings/apps/new?state=s1`, {
      name: 'Other',
      url: 'https://other.example',
      redirect_url: 'https://other.example/back',
      hook_attributes: { url: receiver.url },
      default_permissions: { contents: 'read' },
      default_events: ['push'],
    })
    const code = led.searchParams.get('code')
    await say('POST /app-manifests/{code}/conversions', `/app-manifests/${code}/conversions`, {}, 201)
    await say('GET /app', '/app', asApp(), 200)
    await say('GET /app/installations', '/app/installations', asApp(), 200)
    await say('GET /app/installations/{installation_id}', `/app/installations/${installation.id}`, asApp(), 200)
    const tokens = `/app/installations/${installation.id}/access_tokens`
    const operation = 'POST /app/installations/{installation_id}/access_tokens'
    await say(operation, tokens, asApp(), 201)
    const narrow = { repositories: ['shop'], permissions: { contents: 'read' } }
    const { token: narrowed } = await say(operation, tokens, { ...asApp(), body: narrow }, 201)
    const { token } = await say(operation, tokens, asApp(), 201)
    const given = (body?: unknown) => ({ token, ...(body === undefined ? {} : { body }) })
    await say('GET /installation/repositories', '/installation/repositories', given(), 200)
    await say('GET /rate_limit', '/rate_limit', given(), 200)
    await say('GET /user', '/user', { token: forge.addToken('grace') }, 200)

    await say(`GET ${repo}`, at, given(), 200)
    await say(`GET ${repo}/branches`, `${at}/branches`, given(), 200)
    await say(`GET ${repo}/commits/{ref}`, `${at}/commits/topic`, given(), 200)
    const permission = `GET ${repo}/collaborators/{username}/permission`
    await say(permission, `${at}/collaborators/grace/permission`, given(), 200)
    await say(`GET ${repo}/pulls`, `${at}/pulls`, given(), 200)
    await say(`GET ${repo}/pulls/{pull_number}`, `${at}/pulls/${pull.number}`, given(), 200)
    await say(`GET ${repo}/pulls/{pull_number}/files`, `${at}/pulls/${pull.number}/files`, given(), 200)

    const status = { state: 'pending', context: 'signalbox', description: 'It runs.', target_url: 'https://a.example/' }
    await say(`POST ${repo}/statuses/{sha}`, `${at}/statuses/${pull.headSha}`, given(status), 201)
    await say(`GET ${repo}/commits/{ref}/statuses`, `${at}/commits/${pull.headSha}/statuses`, given(), 200)

    const check = { name: 'signalbox', head_sha: pull.headSha, external_id: 'run-1', status: 'in_progress' }
    const made = await say(`POST ${repo}/check-runs`, `${at}/check-runs`, given(check), 201)
    const output = {
      title: 'Failed',
      summary: 'One step failed.',
      annotations: [{ path: 'src/a.ts', start_line: 1, end_line: 1, annotation_level: 'failure', message: 'no' }],
    }
    const one = `${repo}/check-runs/{check_run_id}`
    await say(`PATCH ${one}`, `${at}/check-runs/${made.id}`, given({ conclusion: 'failure', output }), 200)
    await say(`GET ${one}`, `${at}/check-runs/${made.id}`, given(), 200)
    await say(`GET ${one}/annotations`, `${at}/check-runs/${made.id}/annotations`, given(), 200)
    await say(`GET ${repo}/commits/{ref}/check-runs`, `${at}/commits/topic/check-runs`, given(), 200)

    const comments = `${repo}/issues/{issue_number}/comments`
    const comment = await say(`POST ${comments}`, `${at}/issues/${pull.number}/comments`, given({ body: 'hello' }), 201)
    await say(`GET ${comments}`, `${at}/issues/${pull.number}/comments`, given(), 200)
    const byId = `${repo}/issues/comments/{comment_id}`
    const there = `${at}/issues/comments/${comment.id}`
    await say(`GET ${byId}`, there, given(), 200)
    await say(`PATCH ${byId}`, there, given({ body: 'hello again' }), 200)
    await say(`POST ${byId}/reactions`, `${there}/reactions`, given({ content: 'eyes' }), 201)
    await say(`POST ${byId}/reactions`, `${there}/reactions`, given({ content: 'eyes' }), 200)
    await say(`GET ${byId}/reactions`, `${there}/reactions`, given(), 200)
    await say(`DELETE ${byId}`, there, given(), 204)

    const hooks = `${repo}/hooks`
    const config = { url: `${receiver.url}/repository`, content_type: 'json', secret: 'secret' }
    const hook = await say(`POST ${hooks}`, `${at}/hooks`, given({ config, events: ['push'] }), 201)
    await say(`GET ${hooks}`, `${at}/hooks`, given(), 200)
    await say(`GET ${hooks}/{hook_id}`, `${at}/hooks/${hook.id}`, given(), 200)
    await say(`PATCH ${hooks}/{hook_id}`, `${at}/hooks/${hook.id}`, given({ events: ['push', 'pull_request'] }), 200)
    await say(`POST ${hooks}/{hook_id}/pings`, `${at}/hooks/${hook.id}/pings`, given(), 204)
    await forge.push('acme/shop', { ref: 'refs/heads/topic', files: { 'src/b.ts': 'b\n' } })
    await forge.mailbox.settle()
    const deliveries = `${hooks}/{hook_id}/deliveries`
    const log = await say(`GET ${deliveries}`, `${at}/hooks/${hook.id}/deliveries`, given(), 200)
    const entry = `${at}/hooks/${hook.id}/deliveries/${log[0].id}`
    await say(`GET ${deliveries}/{delivery_id}`, entry, given(), 200)
    await say(`POST ${deliveries}/{delivery_id}/attempts`, `${entry}/attempts`, given(), 202)
    await say(`DELETE ${hooks}/{hook_id}`, `${at}/hooks/${hook.id}`, given(), 204)

    await say('GET /app/hook/config', '/app/hook/config', asApp(), 200)
    const appLog = await say('GET /app/hook/deliveries', '/app/hook/deliveries', asApp(), 200)
    const appEntry = `/app/hook/deliveries/${appLog[0].id}`
    await say('GET /app/hook/deliveries/{delivery_id}', appEntry, asApp(), 200)
    await say('POST /app/hook/deliveries/{delivery_id}/attempts', `${appEntry}/attempts`, asApp(), 202)
    await say('DELETE /installation/token', '/installation/token', { token: narrowed }, 204)
    assert.deepEqual(faults, [])
    assert.deepEqual([...seen].toSorted(), [...description.operations].toSorted())
    forge.assertQuiet()
  })

  test('sends every event as described', async () => {
    const { app, installation } = parts
    forge.comment('acme/shop', 1, 'grace', '/rerun')
    const comment = forge.comment('acme/shop', 1, 'grace', '/why')
    forge.editComment('acme/shop', comment.id, '/help')
    forge.deleteComment('acme/shop', comment.id)
    const [check] = forge.world.repositories.values().flatMap(({ checkRuns }) => [...checkRuns.keys()])
    forge.rerequest('acme/shop', check ?? 0, 'grace')
    await forge.addRepository('acme/tools', { branches: ['main'] })
    forge.addRepositories(installation, 'acme/tools')
    forge.removeRepositories(installation, 'acme/tools')
    forge.suspend(installation)
    forge.unsuspend(installation)
    forge.askPermissions(app, { ...app.permissions, members: 'read' })
    forge.acceptPermissions(installation)
    forge.pingApp(app)
    forge.closePull('acme/shop', 1)
    forge.uninstall(installation)
    await forge.mailbox.settle()
    const names = new Set<string>()
    const wrong: string[] = []
    for (const { headers, payload } of receiver.arrived) {
      const event = String(headers['x-github-event'])
      names.add([event, payload.action ?? null].join(' ').trim())
      wrong.push(...description.findPayloadFaults(event, payload.action ?? null, payload))
    }
    assert.deepEqual([...new Set(wrong)], [])
    assert.deepEqual([...names].toSorted(), [
      'check_run completed',
      'check_run created',
      'check_run rerequested',
      'installation created',
      'installation deleted',
      'installation new_permissions_accepted',
      'installation suspend',
      'installation unsuspend',
      'installation_repositories added',
      'installation_repositories removed',
      'issue_comment created',
      'issue_comment deleted',
      'issue_comment edited',
      'ping',
      'pull_request closed',
      'pull_request opened',
      'pull_request synchronize',
      'push',
    ])
  })
})
