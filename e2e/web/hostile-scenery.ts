import { createHmac, randomUUID } from 'node:crypto'
import { githubPush } from '../../cli/src/demo/github-push.ts'
import type { Api } from '../house/api.ts'
import { runEnd } from '../house/runs.ts'
import { makePipeline, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'
import { hostile, KINDS, LONG_LINE, longName, TOWER, tower } from './hostile-texts.ts'
import { callTool, makeGuarded, type Plan, putBeforePerson, runOf } from './planned.ts'
import type { Scenery } from './scenery.ts'
import type { Stage } from './stage.ts'

export const TEAM = 'hostile'
const NAME = longName('n', 63)
const REPOSITORY = `${TEAM}/${longName('r', 100)}`

interface Made {
  readonly id: string
}

/** Prints, leaves and says whatever a task can. */
const DOCUMENT = `name: PIPELINE
checkout: false
variables: { EVIL: safe, ${longName('V', 120)}: safe }
steps:
  - name: ${longName('s', 63)}
    tasks:
      - name: ${longName('t', 63)}
        run: |
          printf '%s\\n' "$EVIL" "$EVIL" >&2
          printf '%s\\n' "$LINE" "$TOWER"
          printf 'progress\\rover\\r\\n\\033[2J\\033]0;title\\007\\033[31mred\\n'
          printf 'said<<END\\n%s\\nEND\\n' "$EVIL" >> "$SIGNALBOX_OUTPUT"
          mkdir -p left
          printf x > "left/$FILE"
          exit CODE
        env: { LINE: "${'L'.repeat(LONG_LINE)}", TOWER: "${tower(40_000)}", FILE: ${JSON.stringify(fileName())} }
        outputs: { said: {} }
        artifacts: { name: ${longName('a', 100)}, paths: [left] }
final_outputs:
  - name: ${longName('o', 63)}
    format: markdown
    template: ${JSON.stringify(`# <script>ran()</script>\n\n[a](javascript:ran()) ![b](x "onerror=ran()") <img src=x onerror=ran()>\n\n| ${'W'.repeat(400)} | b |\n|---|---|\n| c | d |\n\n\`\`\`\n${'W'.repeat(2000)}\n\`\`\`\n\n${hostile(2000, 'visible')}`)}
`

/** A name of a file that a file system takes: at most 255 bytes, no slash. */
function fileName(): string {
  return hostile(180, 'visible').replaceAll('/', '').slice(0, 180)
}

const HELD = `name: held
checkout: false
steps:
  - name: ask
    approval:
      approvers: ["role:administrator"]
      message: MESSAGE
      fields: [{ name: why, type: text, description: MESSAGE }]
`

/** What the pages show of one team in which every text from outside is hostile, as far as the API takes it. */
export async function makeHostileScenery({ house, world, people }: Stage): Promise<Scenery> {
  const api = house.api
  const team = await makeHostileTeam(api)
  const { path, scope } = team
  const post = (collection: string, body: (text: (max: number) => string) => unknown) =>
    accepted<Made>(api, 'POST', collection, body)
  const pipeline = await makePipeline(api, team, documentOf('api', 1))
  const long = await makePipeline(api, team, documentOf(NAME, 0))
  await makePipeline(api, team, HELD.replaceAll('MESSAGE', JSON.stringify(hostile(900))))

  const secret = await post('/v1/secrets', (text) => ({
    team_path: path,
    name: longName('s', 100),
    value: text(60_000),
  }))
  const profile = await post('/v1/profiles', () => ({
    team_path: path,
    name: 'first',
    executor: 'container',
    image: `registry.example/${longName('i', 200)}:1`,
    labels: [longName('l', 63)],
  }))
  const knowledge = await post('/v1/knowledge', (text) => ({
    team_path: path,
    name: NAME,
    kind: 'guardrail',
    rule: 'run.scope != "nowhere"',
    message: text(1000),
    text: text(65_536),
  }))
  await api.send('POST', `/v1/teams/${path}/environments`, { name: NAME })
  const emergency = await post('/v1/emergencies', (text) => ({ scope: `${path}/${NAME}`, reason: text(1000) }))
  await post('/v1/users', (text) => ({ login: longName('u', 100), name: text(200) }))
  const account = await post('/v1/service-accounts', () => ({ team_path: path, name: NAME }))
  const token = await post('/v1/tokens', (text) => ({ name: text(200), service_account_id: account.id }))
  const group = await post('/v1/groups', () => ({ name: NAME }))
  const schedule = await post('/v1/schedules', (text) => ({
    path,
    name: longName('s', 63),
    pipeline: long,
    scope,
    schedule_kind: 'recurring',
    cron_expression: '0 3 29 2 *',
    variables: { EVIL: text(20_000) },
  }))
  const external = await post('/v1/external-triggers', (text) => ({
    team_path: path,
    name: NAME,
    pipeline,
    scope,
    variables: { EVIL: text(20_000) },
  }))
  await accepted(api, 'PUT', `/v1/overrides/${TEAM}/frozen`, (text) => ({ pipeline, scope, reason: text(1000) }))
  const enrollment = await post('/v1/runners/enrollments', () => ({ team_path: path, scopes: [`${path}/**`] }))
  const trigger = await post('/v1/triggers', () => ({
    name: NAME,
    team_path: path,
    source_id: team.sourceId,
    repositories: [`${TEAM}/*`],
    events: ['push'],
    pipeline: long,
    scope,
  }))
  const { deliveryId, eventId } = await deliver(api, team)

  const start = async (of: string): Promise<string> =>
    (
      await accepted<{ run_id: string }>(api, 'POST', `/v1/pipelines/${encodeURIComponent(of)}/runs`, (text) => ({
        scope,
        variables: { EVIL: text(60_000) },
      }))
    ).run_id
  const failed = await start(pipeline)
  const succeeded = await start(long)
  const held = (await api.send<{ run_id: string }>('POST', `/v1/pipelines/${TEAM}%2Fheld/runs`, { scope })).run_id
  const queued = await start(pipeline)
  await accepted(api, 'POST', `/v1/runs/${queued}/cancel`, (text) => ({ reason: text(500) }))
  for (const id of [failed, succeeded, queued]) await runEnd(api, id)

  const ids = new Map<string, readonly string[]>([
    ['/v1/pipelines', [pipeline, long]],
    ['/v1/runs/{id}/final-outputs/{name} id', [succeeded]],
    ['/v1/runs/{id}/approvals/{step} id', [held]],
    ['/v1/secrets', [secret.id]],
    ['/v1/profiles', [profile.id]],
    ['/v1/knowledge', [knowledge.id]],
    ['/v1/emergencies', [emergency.id]],
    ['/v1/service-accounts', [account.id]],
    ['/v1/tokens', [token.id]],
    ['/v1/groups', [group.id]],
    ['/v1/schedules', [schedule.id]],
    ['/v1/external-triggers', [external.id]],
    ['/v1/runners/enrollments', [enrollment.id]],
    ['/v1/triggers', [trigger.id]],
    ['/v1/runners', world.ids.get('/v1/runners') ?? []],
    ['deliveries', [deliveryId]],
    ['/v1/events', [eventId]],
  ])
  // A plan is of a user, not of the bootstrap token.
  const guarded = await makeGuarded(api, TEAM, world.admin)
  const plan = await makePlan(world.admin, pipeline, guarded)
  await callTool(api, 'whoami', hostile(200, 'visible'))
  return {
    world: { ...world, team, pipeline, ids },
    people,
    runs: { failed, succeeded, queued, warned: held },
    guarded,
    plan,
  }
}

/** Put before a person, and withdrawn with a hostile reason. */
async function makePlan(api: Api, pipeline: string, scope: string): Promise<string> {
  const planned = await accepted<Plan>(api, 'POST', '/v1/plans', (text) =>
    runOf(pipeline, { scope, variables: { EVIL: text(20_000) } }),
  )
  const { id } = await putBeforePerson(api, planned)
  await accepted(api, 'POST', `/v1/plans/${id}/refuse`, (text) => ({ reason: text(500) }))
  return id
}

function documentOf(name: string, code: number): string {
  return DOCUMENT.replace('PIPELINE', name).replace('CODE', String(code))
}

/** Sends the most hostile text that the API takes. */
async function accepted<T>(
  api: Api,
  method: string,
  path: string,
  body: (text: (max: number) => string) => unknown,
): Promise<T> {
  const refusals: string[] = []
  for (const kind of KINDS) {
    const wanted = body((max) => hostile(max, kind))
    const answer = await api.ask(method, path, wanted)
    if (answer.status < 300) return answer.body as T
    refusals.push(`${kind}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
  }
  throw new Error(`${method} ${path} takes no hostile text:\n${refusals.join('\n')}`)
}

async function makeHostileTeam(api: Api): Promise<Team> {
  const webhookSecret = randomUUID()
  await accepted(api, 'POST', '/v1/teams', (text) => ({ path: TEAM, name: text(200) }))
  // A path as long as it may be, which lists show.
  let below = TEAM
  for (let depth = 0; depth < 3; depth += 1) {
    below += `/${longName('t', 60)}`
    await accepted(api, 'POST', '/v1/teams', (text) => ({ path: below, name: text(200) }))
  }
  await api.send('POST', `/v1/teams/${TEAM}/environments`, { name: 'test' })
  await api.send('POST', '/v1/secrets', { team_path: TEAM, name: 'webhook', value: webhookSecret })
  const source = await accepted<Made>(api, 'POST', '/v1/git-webhook-sources', (text) => ({
    name: text(100),
    provider: 'github',
    team_path: TEAM,
    auth_mode: 'signature',
    credential_ref: `secret:${TEAM}/webhook`,
    repository_allowlist: [`${TEAM}/*`],
  }))
  return { path: TEAM, scope: `${TEAM}/test`, sourceId: source.id, webhookSecret }
}

/** A push whose branch, sender, authors, messages and files are hostile; signed, so that it is believed. */
async function deliver(api: Api, team: Team): Promise<{ deliveryId: string; eventId: string }> {
  const text = hostile(30_000)
  const ref = `refs/heads/${`<img/src=x/onerror=ran()>\u202egnp.exe\u2066\u200b${tower(20)}`.padEnd(200, 'W')}`
  const after = '2'.repeat(40)
  const commit = {
    id: after,
    message: text,
    timestamp: '2026-11-23T12:00:00Z',
    author: { name: text.slice(0, 900), email: 'a@example.com' },
    added: [fileName()],
    modified: [`${'d/'.repeat(60)}${fileName()}`],
    removed: [],
  }
  const delivery = randomUUID()
  const plain = githubPush({
    repository: {
      id: 1,
      fullName: REPOSITORY,
      cloneUrl: `https://git.example/${TEAM}/shop.git`,
      defaultBranch: 'main',
    },
    ref,
    before: '1'.repeat(40),
    after,
    commits: [commit],
    secret: team.webhookSecret,
    deliveryId: delivery,
  })
  const payload = { ...JSON.parse(plain.body.toString()), sender: { login: text.slice(0, 300), type: 'User' } }
  payload.also = { [text.slice(0, 2000)]: [tower(TOWER), 'W'.repeat(LONG_LINE)] }
  const body = Buffer.from(JSON.stringify(payload))
  const signature = `sha256=${createHmac('sha256', team.webhookSecret).update(body).digest('hex')}`
  const response = await fetch(`${api.url}/v1/git/webhooks/${team.sourceId}`, {
    method: 'POST',
    headers: { ...plain.headers, 'X-Hub-Signature-256': signature },
    body,
  })
  if (response.status >= 300) throw new Error(`The push was refused: ${response.status} ${await response.text()}`)
  const isThere = (found: readonly Made[]): boolean => found.length > 0
  const deliveries = `/v1/git-webhook-sources/${team.sourceId}/deliveries`
  const [known] = await waitFor('the delivery', () => api.get<Made[]>(deliveries), isThere)
  const events = `/v1/events?repository=${REPOSITORY}`
  const [event] = await waitFor('the event', () => api.get<Made[]>(events), isThere)
  return { deliveryId: known?.id ?? '', eventId: event?.id ?? '' }
}
