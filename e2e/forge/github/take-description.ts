import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClock } from '../clock.ts'
import { type Fields, fieldsOf, isFields } from '../fields.ts'
import { createMailbox } from '../webhooks/mailbox.ts'
import { createEvents } from './events.ts'
import { API, githubRoutes } from './index.ts'
import { createWorld } from './world.ts'

// node e2e/forge/github/take-description.ts <folder of @octokit/openapi>
//
// Takes what the forge answers and sends out of GitHub's published description. The whole package is 480 MB unpacked,
// which is too much for every checkout, so its part lies in generated/, with the version that it is of.

const RELEASE = 'ghes-3.19'
const EVENTS =
  /^(push|ping|installation-(created|deleted|suspend|unsuspend|new-permissions-accepted)|installation-repositories-(added|removed)|pull-request-(opened|synchronize|closed)|issue-comment-(created|edited|deleted)|check-run-(created|completed|rerequested))$/
const DROPPED = new Set(['description', 'example', 'examples', 'summary', 'externalDocs', 'x-github', 'tags', 'title'])

/** GitHub says "an account or an enterprise"; the package makes "both" of it here, and only here. */
const CORRECTIONS: Readonly<Record<string, unknown>> = {
  'GET /app/installations 200': { type: 'array', items: { $ref: '#/components/schemas/installation' } },
}

const [folder = '.'] = process.argv.slice(2)
const whole: unknown = JSON.parse(readFileSync(join(folder, `generated/${RELEASE}.json`), 'utf8'))
const description = isFields(whole) ? whole : {}

const operations: Record<string, unknown> = {}
const clock = createClock()
const world = createWorld('', clock, createMailbox({ clock, headersOf: () => ({}), nextId: () => 1 }))
for (const { method, path } of githubRoutes(world, createEvents(world))) {
  const short = path.slice(API.length)
  const operation = fieldsOf(fieldsOf(fieldsOf(description, 'paths'), short), method.toLowerCase())
  if (operation['responses'] === undefined) throw new Error(`GitHub describes no ${method} ${short}.`)
  const answers = Object.entries(fieldsOf(operation, 'responses')).map(([status, answer]) => [
    status,
    CORRECTIONS[`${method} ${short} ${status}`] ?? schemaOf(answer),
  ])
  operations[`${method} ${short}`] = {
    request: schemaOf(operation['requestBody']) ?? null,
    responses: Object.fromEntries(answers),
  }
}
const webhooks = Object.fromEntries(
  Object.entries(fieldsOf(description, 'x-webhooks'))
    .filter(([name]) => EVENTS.test(name))
    .map(([name, webhook]) => [name, schemaOf(fieldsOf(Object(webhook), 'post')['requestBody'])]),
)

const schemas: Record<string, unknown> = {}
collect([operations, webhooks])

const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const taken = {
  of: `@octokit/openapi ${version}, ${RELEASE}, MIT licence`,
  operations,
  webhooks,
  components: { schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))) },
}
const target = join(import.meta.dirname, 'generated')
mkdirSync(target, { recursive: true })
writeFileSync(join(target, `${RELEASE}.json`), `${JSON.stringify(taken, null, 1)}\n`)

/** The schema of a JSON body; null: it has none. */
function schemaOf(body: unknown): unknown {
  const found = resolve(body)
  const content = fieldsOf(found, 'content')
  const json = fieldsOf(content, 'application/json')
  return json['schema'] === undefined ? null : strip(json['schema'])
}

function resolve(value: unknown): Fields {
  const fields = isFields(value) ? value : {}
  const ref = fields['$ref']
  if (typeof ref !== 'string') return fields
  const [, kind = '', name = ''] = /^#\/components\/([^/]+)\/(.+)$/.exec(ref) ?? []
  return resolve(fieldsOf(fieldsOf(description, 'components'), kind)[name])
}

/** Without words, which no validator reads. Names of properties are not keywords. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip)
  if (!isFields(value)) return value
  const entries = Object.entries(value).filter(
    ([name, inner]) => !DROPPED.has(name) || (name === 'title' && isFields(inner)),
  )
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, name === 'properties' && isFields(inner) ? stripEach(inner) : strip(inner)]),
  )
}

function stripEach(properties: Fields): Fields {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, strip(schema)]))
}

function collect(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(collect)
  if (!isFields(value)) return
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(value['$ref']))?.[1]
  if (name !== undefined && !(name in schemas)) {
    schemas[name] = strip(fieldsOf(fieldsOf(description, 'components'), 'schemas')[name])
    collect(schemas[name])
  }
  Object.values(value).forEach(collect)
}
