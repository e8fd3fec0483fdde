import fc from 'fast-check'
import { RULE } from '../house/kept.ts'
import type { Operation } from '../house/open-api.ts'
import type { RawRequest } from '../house/raw-http.ts'
import { idsFor, type World } from '../house/world.ts'
import { type KnownValues, mutate, valueOf } from './from-schema.ts'
import { hostileText, spoil } from './hostile.ts'

/** Requests to one operation: some right, some nearly, some far off. `headers` come on top. */
export function requestsTo(
  operation: Operation,
  world: World,
  headers: Readonly<Record<string, string>>,
): fc.Arbitrary<RawRequest> {
  const parts = fc.tuple(pathOf(operation, world), queryOf(operation, world), strangeHeaders, bodyOf(operation, world))
  return parts.map(([path, query, strange, body]) => ({
    method: operation.method,
    path: `${path}${query}`,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...strange, ...headers },
    body,
  }))
}

/** The request that a careful client would send: everything valid, and of things that are there. */
export function rightRequests(operation: Operation, world: World, token: string): fc.Arbitrary<RawRequest> {
  const body = operation.body ? valueOf(operation.body, knownOf(operation, world)) : fc.constant(undefined)
  return fc
    .tuple(
      fillPath(operation, (ids) => fc.constantFrom(...ids), world),
      body,
      requiredQuery(operation, world),
    )
    .map(([path, value, query]) => ({
      method: operation.method,
      path: `${path}${query}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(value === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: value === undefined ? undefined : Buffer.from(JSON.stringify(value)),
    }))
}

/** The parameters that a request cannot leave out. */
function requiredQuery(operation: Operation, world: World): fc.Arbitrary<string> {
  const known = knownOf(operation, world)
  const required = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true)
  const pairs = required.map(({ name, schema }) =>
    valueOf(schema, known, name).map((value) => parameterOf(name, value)),
  )
  return fc.tuple(...pairs).map((some) => (some.length === 0 ? '' : `?${some.join('&')}`))
}

const UNCODED = [
  '',
  '%',
  '%zz',
  '%E0%A4%A',
  '%ff%fe',
  '%00',
  'a%00b',
  '%2e%2e%2f%2e%2e%2fetc',
  '..',
  '%2F',
  '%252F',
  '\u00ff\u00fe',
  ';',
  ':id',
  '{id}',
  'A'.repeat(1100),
  'A'.repeat(6000),
] as const

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).slice(0, 6000)
}

function pathOf(operation: Operation, world: World): fc.Arbitrary<string> {
  return fillPath(
    operation,
    (ids) =>
      fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...ids) },
        { weight: 1, arbitrary: fc.uuid({ version: 7 }) },
        { weight: 1, arbitrary: hostileText.map(encode) },
        { weight: 1, arbitrary: fc.constantFrom(...UNCODED) },
      ),
    world,
  )
}

function fillPath(
  operation: Operation,
  choose: (encodedIds: readonly string[]) => fc.Arbitrary<string>,
  world: World,
): fc.Arbitrary<string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const values = names.map((name) => {
    const ids = idsFor(world.ids, operation.path, name)
    // The last one is left as it is until something is deleted.
    return choose((operation.method === 'DELETE' || ids.length < 2 ? ids : ids.slice(0, -1)).map(encode))
  })
  return fc
    .tuple(...values)
    .map((chosen) =>
      names.reduce((path, name, at) => path.replace(`{${name}}`, () => chosen[at] ?? ''), operation.path),
    )
}

function queryOf(operation: Operation, world: World): fc.Arbitrary<string> {
  const known = knownOf(operation, world)
  const named = operation.parameters.filter((parameter) => parameter.in === 'query')
  const pairs = named.map(({ name, schema }) =>
    fc.oneof(
      { weight: 3, arbitrary: valueOf(schema, known, name).map((value) => parameterOf(name, value)) },
      { weight: 1, arbitrary: hostileText.map((value) => `${name}=${encode(value)}`) },
    ),
  )
  const wrong = fc.constantFrom(
    'x=1',
    '__proto__=1',
    '%',
    '%E0%A4=%A',
    '&&&==',
    'limit=1&limit=2',
    'limit[]=1',
    '?',
    '%00=1',
  )
  const right = pairs.length > 0 ? fc.array(fc.oneof(...pairs), { maxLength: 2 }) : fc.constant([])
  return fc
    .tuple(right, fc.option(wrong, { freq: 6, nil: undefined }))
    .map(([some, other]) => [...some, ...(other === undefined ? [] : [other])].join('&'))
    .map((query) => (query === '' ? '' : `?${query}`))
}

/** A list is said one value after the other. */
function parameterOf(name: string, value: unknown): string {
  return [value]
    .flat()
    .map((one) => `${name}=${encode(String(one))}`)
    .join('&')
}

const strangeHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/json; charset="' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'multipart/form-data; boundary=' },
      { 'content-type': 'application/yaml' },
      { 'content-type': '\u00ff/\u00fe' },
      { 'content-type': '' },
      { 'content-encoding': 'gzip' },
      { accept: 'text/html, */*;q=0.1' },
      { accept: '\u00ff' },
      { 'if-match': '*' },
      { 'if-match': '"1"' },
      { 'if-match': 'W/"x", ,,"' },
      { 'if-none-match': '*' },
      { 'idempotency-key': 'same' },
      { 'idempotency-key': '' },
      { 'idempotency-key': 'k'.repeat(5000) },
      { 'idempotency-key': '\u00ff' },
      { 'last-event-id': '-1' },
      { 'last-event-id': '\u00ff' },
      { range: 'bytes=0-1,5-' },
      { 'x-http-method-override': 'DELETE' },
      { 'x-forwarded-for': '1.1.1.1, \u00ff' },
      { 'x-request-id': 'x'.repeat(3000) },
      { cookie: '__proto__=1' },
      { 'x-service-signature': 'sha256=zz' },
      { 'x-hub-signature-256': 'sha256=' },
    ),
  },
)

function bodyOf(operation: Operation, world: World): fc.Arbitrary<Buffer | undefined> {
  if (operation.method === 'GET') return fc.constant(undefined)
  const anything = fc.constantFrom('{}', '{"a":"b"}', 'null', '"x"').chain(spoil)
  if (!operation.body) return fc.option(anything, { freq: 2, nil: undefined })
  const right = valueOf(operation.body, knownOf(operation, world))
  const text = (value: unknown): string => JSON.stringify(value) ?? 'null'
  return fc.oneof(
    { weight: 4, arbitrary: right.map((value) => Buffer.from(text(value))) },
    { weight: 5, arbitrary: right.chain(mutate).map((value) => Buffer.from(text(value))) },
    { weight: 2, arbitrary: right.chain((value) => spoil(text(value))) },
  )
}

function knownOf(operation: Operation, { team, pipeline, ids }: World): KnownValues {
  const of = (collection: string): readonly string[] => ids.get(collection) ?? []
  const common: [string, readonly unknown[]][] = [
    ['team_path', [team.path]],
    ['teamId', [team.path]],
    ['run_id', of('/v1/runs')],
    // An emergency ends all runs of its scope.
    ['scope', [operation.path === '/v1/emergencies' ? `${team.path}/spare` : team.scope]],
    ['kind', ['guardrail']],
    ['rule', [RULE.rule]],
    ['message', [RULE.message]],
    ['time_zone', ['UTC']],
    ['at', [null]],
    ['pipeline', [pipeline]],
    // A replaced document declares no variables.
    ['variables', [{}]],
    ['source_id', [team.sourceId, null]],
    ['credential_ref', [`secret:${team.path}/webhook`]],
    ['checkout_credential_ref', [`secret:${team.path}/npm`, null]],
    ['provider', ['github']],
    ['repo_owner', ['acme']],
    ['repo_name', ['shop']],
    // Nothing listens there.
    ['base_url', ['http://127.0.0.1:9', null]],
    ['clone_url', ['http://127.0.0.1:9/acme/shop.git']],
    ['commit_sha', ['a'.repeat(40)]],
    ['report_status', [false]],
    ['comment_commands', [false]],
    ['delivery_ids', [of('deliveries')]],
    ['protected', [false]],
    ['executor', ['host']],
    ['image', [null]],
    ['auth_mode', ['signature']],
    ['repositories', [['acme/*', '!acme/secret']]],
    ['repository_allowlist', [['acme/shop'], ['**']]],
    // Of pull requests and comments only: with them the events of a trigger must be of these.
    ['labels', [[]]],
    ['draft', ['any']],
    ['commands', [[]]],
    ['commenters', [[]]],
    ['concurrency', [null, { group: 'deploy', on_conflict: 'queue' }]],
    ['if', ['event.branch == "main"', null]],
    ['subject', of('/v1/users').map((id) => `user:${id}`)],
    ['service_account_id', [...of('/v1/service-accounts'), null]],
    ['user_id', [of('/v1/users')[0], null]],
    ['document', documentsFor(operation, team.path)],
    ['scopes', [[`${team.path}/**`]]],
    ['password', ['correct horse battery']],
    ['email', ['ada@example.com', null]],
    ['q', ['build', 'acme te', '0123abcd']],
    ['kinds', ['pipeline', 'run,team']],
    ['permission', ['run.start', 'run.read']],
    ['last_seen', [{ [team.path]: '2026-11-23T02:30:00Z' }, {}]],
    ['pinned_teams', [[team.path]]],
    ['topics', ['approvals,runners', `runs:${team.path}`]],
  ]
  // A path never changes; a new team needs one of its own.
  if (operation.method === 'PATCH') common.push(['path', [team.path]])
  if (/^\/v1\/(explain\/)?schedule/.test(operation.path))
    common.push(...knownOfSchedules(team.path, of('/v1/schedules')))
  // One of the two: what is saved, or a draft as the schema has it.
  if (operation.path === '/v1/knowledge/trials') common.push(['item', of('/v1/knowledge')], ['draft', []])
  if (operation.path.startsWith('/v1/external-triggers')) {
    common.push(['run_team_path', [team.path, null]], ['allowed_variables', [[]]], ['enabled', [true]])
  }
  return new Map(common)
}

function knownOfSchedules(teamPath: string, ids: readonly string[]): [string, readonly unknown[]][] {
  return [
    ['path', [teamPath]],
    ['run_team_path', [teamPath, null]],
    ['schedule_kind', ['recurring']],
    ['cron_expression', ['0 3 * * *', '*/20 H * * 1-5']],
    ['run_at', [null]],
    ['timezone', ['Europe/Berlin', 'UTC']],
    ['spread', ['15m', null]],
    ['exclude_dates', [['2026-12-25', '2026-12-30/2027-01-02'], []]],
    ['calendar', [null]],
    ['not_before', ['2020-01-01T00:00:00Z', null]],
    ['not_after', ['2199-01-01T00:00:00Z', null]],
    // Nobody answers for a repository here.
    ['repository', [null]],
    ['ref', [null]],
    ['from', ['2021-01-01T00:00:00Z']],
    ['to', ['2021-01-03T00:00:00Z']],
    ['schedule', ids],
    ['at', ['2026-11-23T02:30:00Z', '2026-11-23T02:30:00']],
  ]
}

/** For PUT the pipeline's own name, which never changes; for POST many, for each may be made once. */
function documentsFor({ method }: Operation, teamPath: string): readonly string[] {
  const names = method === 'POST' ? Array.from({ length: 200 }, (_, at) => `build-${at}`) : ['build']
  return names.map(
    (name) =>
      `name: ${name}\nsecrets: { NPM: ${teamPath}/npm }\nsteps:\n  - name: a\n    tasks:\n      - { name: b, run: echo hi }\n`,
  )
}
