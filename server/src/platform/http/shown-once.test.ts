import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { SHOWN_ONCE } from '@signalbox/contracts/http'

/** Of all routes of the product; `npm run check` holds it fresh. */
const DOCUMENT = new URL('../../../../docs/api/openapi.json', import.meta.url)

const LOOKS_SECRET = /token|secret|password|passphrase|private|credential|api_?key|signature/i
/** The names that look like secrets and are none, or are never an answer's own value. */
const HARMLESS = new Set([
  // The places of secrets, not their values.
  'credential_ref',
  'checkout_credential_ref',
  'secret_id',
  // Names of variables, without their values.
  'secret_variables',
  // When it was made.
  'secret_set_at',
  // A list of ids and states.
  'credentials',
  // The id of a token.
  'token_id',
  // Id, name and limits of the token that asks.
  'GET /v1/auth/me: token',
])

interface Named {
  readonly route: string
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every property of every answer that is not a problem, at any depth. */
function propertiesIn(value: unknown, route: string): Named[] {
  if (Array.isArray(value)) return value.flatMap((each) => propertiesIn(each, route))
  if (!isMap(value)) return []
  const own = isMap(value['properties']) ? Object.entries(value['properties']) : []
  const named = own.flatMap(([name, schema]) => (isMap(schema) ? [{ route, name, schema }] : []))
  return [...named, ...Object.values(value).flatMap((each) => propertiesIn(each, route))]
}

function answersOf(operations: unknown, path: string): Named[] {
  if (!isMap(operations)) return []
  return Object.entries(operations).flatMap(([method, operation]) => {
    const answers = isMap(operation) && isMap(operation['responses']) ? Object.entries(operation['responses']) : []
    return answers.flatMap(([status, answer]) =>
      status.startsWith('2') ? propertiesIn(answer, `${method.toUpperCase()} ${path}`) : [],
    )
  })
}

/** `value` with what its references name in their places: no shape holds itself. */
function resolved(value: unknown, root: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, root))
  if (!isMap(value)) return value
  const reference = value['$ref']
  if (typeof reference === 'string') return resolved(namedBy(reference, root), root)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each, root)]))
}

/** The schema that a reference such as `#/components/schemas/Run` names. */
function namedBy(reference: string, root: unknown): unknown {
  const keys = reference.split('/').slice(1)
  return keys.reduce<unknown>((within, key) => (isMap(within) ? within[key] : undefined), root)
}

const written: unknown = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
const document = resolved(written, written)
const paths = isMap(document) && isMap(document['paths']) ? Object.entries(document['paths']) : []
const properties = paths.flatMap(([path, operations]) => answersOf(operations, path))
/** Of a text, or of a text that may be null. */
const isText = (schema: unknown): boolean => JSON.stringify(schema).includes('"type":"string"')
const isMarked = (schema: unknown): boolean => JSON.stringify(schema).includes(`"${SHOWN_ONCE}":true`)

describe('a secret in an answer', () => {
  test('is marked as shown once in the contract, so that it is never kept in clear', () => {
    const unmarked = properties
      .filter(({ name, schema }) => LOOKS_SECRET.test(name) && isText(schema))
      .filter(({ route, name }) => !HARMLESS.has(name) && !HARMLESS.has(`${route}: ${name}`))
      .filter(({ schema }) => !isMarked(schema))
    assert.deepEqual(
      unmarked.map(({ route, name }) => `${route}: ${name}`),
      [],
    )
  })

  test('stands in the answers of these routes alone', () => {
    const marked = properties.filter(({ schema }) => isMarked(schema))
    assert.deepEqual(marked.map(({ route, name }) => `${route}: ${name}`).sort(), [
      'POST /v1/external-triggers/{id}/rotate: secret',
      'POST /v1/external-triggers/{id}/rotate: secret_url',
      'POST /v1/external-triggers: secret',
      'POST /v1/external-triggers: secret_url',
      'POST /v1/runners/enrollments: token',
      'POST /v1/setup/administrator: token',
      'POST /v1/tokens: token',
    ])
  })
})
