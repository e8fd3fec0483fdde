import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAMILY_NAMES, LIMITABLE_PERMISSIONS, ROLE_NAMES, type Role } from '@signalbox/contracts/access'
import fc from 'fast-check'
import { aGrant, aMember, aServiceAccount, aToken, aUser } from './rooms/foundation/access/testing.ts'
import { openTestHouse } from './testing/test-house.ts'
import { type CallOfTool, CONFIRMATION, type HttpRequest, PLANS, READS } from './testing/tool-calls.ts'
import { makePlace, NOWHERE, type ToolPlace } from './testing/tool-world.ts'

// Random grants and limits of tokens, and every tool with a call at every place: a tool is listed if and only if it is of use
// somewhere; it answers as HTTP does; and what is hidden reads as what is not there.

const house = await openTestHouse()
const { db, ask, http } = house
const root = await aMember(db, 'root', 'administrator', '/')
const TEAMS = ['acme', 'acme/web', 'other'] as const
const PLACES: ToolPlace[] = []
for (const team of TEAMS) PLACES.push(await makePlace(house, root.token, team))
const somewhere = PLACES.at(-1) ?? NOWHERE
const described = house.describeTools()
const CALLS = [...READS, ...PLANS, CONFIRMATION]

interface Limits {
  readonly permissions?: readonly string[]
  readonly team_path?: string
  readonly read_only?: boolean
  readonly families?: readonly string[]
}

interface Draw {
  readonly isRobot: boolean
  readonly roles: Readonly<Record<string, Role>>
  /** Of the token; without one it may do what its owner may. */
  readonly limits: Limits | undefined
}

const BELOW = ROLE_NAMES.filter((role) => role !== 'administrator')
const draws: fc.Arbitrary<Draw> = fc.record({
  isRobot: fc.boolean(),
  roles: fc
    .record(
      {
        '/': fc.constantFrom(...ROLE_NAMES),
        acme: fc.constantFrom(...BELOW),
        'acme/web': fc.constantFrom(...BELOW),
        other: fc.constantFrom(...BELOW),
      },
      { requiredKeys: [] },
    )
    .filter((roles) => Object.keys(roles).length < 4),
  limits: fc.option(
    fc.record(
      {
        permissions: fc.subarray([...LIMITABLE_PERMISSIONS], { minLength: 12 }),
        team_path: fc.constantFrom(...TEAMS),
        read_only: fc.boolean(),
        families: fc.subarray([...FAMILY_NAMES], { minLength: 4 }),
      },
      { requiredKeys: [] },
    ),
    { nil: undefined, freq: 3 },
  ),
})

let made = 0

/** Tokens of one subject, alike: each may plan so often in a minute, so that each place gets its own. */
async function tokensOf({ isRobot, roles, limits }: Draw, count: number): Promise<readonly string[]> {
  made += 1
  const kind = isRobot ? 'service_account' : 'user'
  // At once: a snapshot that is loaded in between would know the subject without a grant for a moment.
  const id = await db.transaction().execute(async (tx) => {
    const subject = isRobot ? await aServiceAccount(tx, 'acme', `robot-${made}`) : await aUser(tx, `user-${made}`)
    for (const [path, role] of Object.entries(roles)) await aGrant(tx, `${kind}:${subject}`, role, path)
    return subject
  })
  const own = await aToken(db, { kind, id })
  const tokens: string[] = []
  while (tokens.length < count) {
    const [maker, whose] = isRobot ? [root.token, { service_account_id: id }] : [own.token, {}]
    const answer = await http.app.inject({
      method: 'POST',
      url: '/v1/tokens',
      headers: { authorization: `Bearer ${maker}` },
      payload: { name: 'drawn', ...whose, ...limits },
      // One address may ask for so many in a minute.
      remoteAddress: `127.0.1.${made}`,
    })
    assert.equal(answer.statusCode, 201, answer.body)
    tokens.push(answer.json().token)
  }
  return tokens
}

/** Parsed JSON: it differs by tool. */
type Json = ReturnType<typeof JSON.parse>

async function send(token: string, payload?: object): Promise<Json> {
  const headers = { authorization: `Bearer ${token}`, host: '127.0.0.1:8080' }
  const answer = await http.app.inject({ method: 'POST', url: '/v1/mcp', headers, ...(payload ? { payload } : {}) })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

/** Whatever is granted, a tool is described by constants, and by paths of teams. */
async function listOf(token: string): Promise<ReadonlySet<string>> {
  const { result } = await send(token)
  const tools: readonly { readonly name: string; readonly title: string; readonly description: string }[] = result.tools
  for (const { name, title, description } of tools) {
    const known = described.find((each) => each.name === name)
    assert.ok(known && title === known.title && description.startsWith(known.description), name)
    assert.match(description.slice(known.description.length), /^(?: Here: [a-z/]+(?:, [a-z/]+)*\.)?$/)
  }
  return new Set(tools.map(({ name }) => name))
}

interface Heard {
  readonly isError: boolean
  /** With the words of the envelope in their places. */
  readonly facts: Json
  readonly text: string
}

async function call(token: string, name: string, input: object, size = 40_000): Promise<Heard> {
  const isRead = !/^(?:plan|confirm)_/.test(name)
  const given = { ...input, ...(isRead ? { max_characters: size } : {}) }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
  const { result, error } = await send(token, message)
  assert.ok(result, `${name}: ${JSON.stringify(error)}`)
  const texts: readonly string[] = result.content.map(({ text }: { readonly text: string }) => text)
  const [facts = '{}', ...envelopes] = texts
  const words = new Map([...envelopes.join('\n').matchAll(/^(@\d+) (.*)$/gmu)].map(([, at, text]) => [at, text]))
  const revive = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? (words.get(value) ?? value) : value
  return { isError: result.isError === true, facts: JSON.parse(facts, revive), text: texts.join('\n') }
}

/** Without ids and marks of the answer, and without what was asked about. */
function plainOf(text: string, place: ToolPlace): string {
  const words = Object.entries(place).toSorted(([, left], [, right]) => right.length - left.length)
  return words
    .reduce((rest, [name, word]) => rest.replaceAll(word, `<${name}>`), text)
    .replaceAll(/[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
}

interface Answered {
  readonly status: number
  readonly body: Json
}

async function request(token: string, [method, url, payload]: HttpRequest): Promise<Answered> {
  const { status, text } = await ask(token, method, url, payload)
  return { status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined }
}

/** What a tool tells is what HTTP tells; it leaves out what is null, and whatever it thinks to be of no use. */
function assertPart(part: unknown, whole: unknown, where: string): void {
  if (Array.isArray(part) && Array.isArray(whole)) {
    assert.equal(part.length, whole.length, where)
    part.forEach((item, at) => {
      assertPart(item, whole[at], `${where}/${at}`)
    })
  } else if (typeof part === 'object' && part !== null && typeof whole === 'object' && whole !== null) {
    for (const [name, value] of Object.entries(part)) {
      assert.ok(Object.hasOwn(whole, name), `${where}/${name} is no part of the answer of HTTP`)
      assertPart(value, Reflect.get(whole, name), `${where}/${name}`)
    }
  } else {
    const isText = typeof part === 'string' && typeof whole === 'object'
    assert.deepEqual(isText ? JSON.parse(part) : part, whole, where)
  }
}

const NOTES = ['next', 'left_out_without_permission', 'left_out_of_this_answer']

/** A tool fails as HTTP does, and tells the same; `first` is what HTTP answered before. */
async function assertLikeHttp(token: string, each: CallOfTool, place: ToolPlace, first: Answered): Promise<void> {
  let answered = first
  // Some answers count seconds: the same is asked until none went by.
  for (let tries = 1; ; tries += 1) {
    const told = await call(token, each.tool, each.input(place))
    try {
      assertSame(told, answered, each, place)
      return
    } catch (error) {
      if (tries === 4) throw error
      answered = await request(token, each.request(place))
    }
  }
}

function assertSame(told: Heard, { status, body }: Answered, each: CallOfTool, { team }: ToolPlace): void {
  const where = `${each.tool} of ${team}`
  assert.equal(told.isError, status >= 300, `${where}: ${status} ${told.text}`)
  if (told.isError) {
    assert.equal(told.facts.error.code, body.code, where)
  } else if (each.shared) {
    for (const note of NOTES) delete told.facts[note]
    const shared = each.shared(told.facts)
    assert.notEqual(JSON.stringify(shared), '{}', where)
    assertPart(shared, each.answered ? each.answered(body) : body, where)
  }
}

/** Whether the call is of use at the place, as HTTP says; and whether the place is hidden from it. */
async function lookAt(token: string, each: CallOfTool, place: ToolPlace) {
  const answered = await request(token, each.request(place))
  const { status, body } = answered
  const witnessed = each.witness ? (await request(token, each.witness(place))).status === 200 : true
  const isReached = witnessed && (each.witness !== undefined || status < 300) && (each.isReached?.(body, place) ?? true)
  assert.ok(status < 500, `${each.tool} of ${place.team}: ${status}`)
  const isEmpty = Array.isArray(body) && body.length === 0
  return {
    answered,
    isReached,
    isHidden: status === 404 || isEmpty || (status < 300 && each.isReached?.(body, place) === false),
  }
}

async function judge(draw: Draw): Promise<void> {
  const [absently = '', ...tokens] = await tokensOf(draw, 1 + PLACES.length)
  const listed = await listOf(absently)
  const missing = await hearUnknown(absently, 'no_such', {})
  const plans = PLANS.some(({ tool }) => listed.has(tool))
  assert.equal(listed.has(CONFIRMATION.tool), plans, 'who can plan can confirm, and nobody else')
  for (const each of CALLS) {
    const isListed = listed.has(each.tool)
    const absent = isListed ? plainOf((await call(absently, each.tool, each.input(NOWHERE))).text, NOWHERE) : ''
    if (!isListed) assert.equal(await hearUnknown(absently, each.tool, each.input(somewhere)), missing)
    const reached: string[] = []
    for (const [at, place] of PLACES.entries()) {
      const token = tokens[at] ?? ''
      const { answered, isReached, isHidden } = await lookAt(token, each, place)
      if (isReached) reached.push(place.team)
      if (!isListed) continue
      if (!isHidden) await assertLikeHttp(token, each, place, answered)
      else assert.equal(plainOf((await call(token, each.tool, each.input(place))).text, place), absent, each.tool)
    }
    if (each.tool === CONFIRMATION.tool || ALWAYS.has(each.tool)) continue
    const isLeft = isLeftBy(draw, each)
    assert.equal(
      isListed,
      isLeft && reached.length > 0,
      `${each.tool} is of use at ${reached.join(', ') || 'no place'}`,
    )
  }
}

/** Families are of tools as well as of permissions; and a machine plans no decision in the name of a person. */
function isLeftBy({ isRobot, limits }: Draw, { tool, isOfMachines }: CallOfTool): boolean {
  const { family = '', does } = described.find(({ name }) => name === tool) ?? {}
  if (limits?.families?.includes(family) === false || (limits?.read_only === true && does !== 'read')) return false
  return isRobot || isOfMachines !== true
}

/** What a call of a tool of this name is answered, less the name. */
async function hearUnknown(token: string, name: string, input: object): Promise<string> {
  const params = { name, arguments: input }
  const { error, result } = await send(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  assert.equal(result, undefined, name)
  return JSON.stringify(error).replaceAll(name, 'NAME')
}

/** Of no place: whoever has a token may ask. */
const ALWAYS = new Set(['whoami', 'find', 'explain_access', 'validate_pipeline'])

test('property: a tool is listed if and only if it is of use somewhere, and tells what HTTP tells', async () => {
  const everything = described.map(({ name }) => name)
  assert.deepEqual(everything.toSorted(), CALLS.map(({ tool }) => tool).toSorted())
  await fc.assert(fc.asyncProperty(draws, judge), { seed: 17, numRuns: 4, endOnFailure: true })
})

/** What is asked at teams of the scope, the pipeline and the source, which may be others: `needsElsewhere` asks for it. */
const STARTING = ['environment.read', 'scope.use', 'pipeline.read', 'webhook_source.read', 'run.start']
const BESIDES: Readonly<Record<string, readonly string[]>> = {
  plan_start_run: STARTING.slice(0, 2),
  plan_rerun: STARTING.slice(0, 2),
  simulate_trigger: STARTING,
}

test('what a tool says that it needs is enough: with no other permission it is of use', async () => {
  for (const each of CALLS) {
    const needed = described.find(({ name }) => name === each.tool)?.permissions ?? []
    const permissions = [...needed, ...(BESIDES[each.tool] ?? [])]
    const limitable: readonly string[] = LIMITABLE_PERMISSIONS
    if (needed.length === 0 || !permissions.every((permission) => limitable.includes(permission))) continue
    const [token = ''] = await tokensOf({ isRobot: true, roles: { other: 'owner' }, limits: { permissions } }, 1)
    assert.ok((await listOf(token)).has(each.tool), each.tool)
    assert.ok((await lookAt(token, each, somewhere)).isReached, `${each.tool} with ${permissions.join(', ')}`)
  }
})
