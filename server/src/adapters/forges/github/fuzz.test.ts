import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Event } from '@signalbox/contracts/event'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { isObject } from '../json-scan.ts'
import { github } from './index.ts'
import { signDelivery } from './testing.ts'

/**
 * Payloads that GitHub would never send. Whatever is missing or of another type, reading gives a valid event or says in a
 * sentence what is wrong; it never throws, because a delivery that crashes a parser is lost.
 */
const FIXTURES = join(import.meta.dirname, 'fixtures')
const OTHERS = [null, [], {}, '', 'x', 0, -1, 1e9, 1e300, true, '\0', '\ud800', [[]], [null], 'a'.repeat(5_000)]
const validEvent = Compile(Event)

type Path = readonly (string | number)[]

/** Every place in a document, the inner ones of lists only for the first item. */
function* places(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path
  if (Array.isArray(value)) {
    if (value.length > 0) yield* places(value[0], [...path, 0])
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) yield* places(value[key], [...path, key])
  }
}

const REMOVED = Symbol('removed')

/** The document with one place replaced or removed; what is not on the path is shared. */
function changed(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? changed(item, rest, replacement) : item))
  if (!isObject(value)) return value
  const inner = changed(value[key], rest, replacement)
  const { [key]: _, ...others } = value
  return inner === REMOVED ? others : { ...others, [key]: inner }
}

function check(event: string, payload: unknown, told: () => string) {
  const body = Buffer.from(JSON.stringify(payload))
  const headers = { 'content-type': 'application/json', 'x-github-event': event, 'x-github-delivery': 'd' }
  const reading = github.webhooks.read(headers, body)
  if (reading.kind === 'events') {
    assert.ok(
      reading.events.every((found) => validEvent.Check(found)),
      told(),
    )
    assert.ok(!JSON.stringify(reading.events).includes('\\u0000'), told())
  } else {
    assert.match(reading.reason, /^[A-Z].*\.$/, told())
  }
}

describe('each key of each fixture, removed or replaced by other types', () => {
  for (const file of readdirSync(FIXTURES)) {
    test(file.replace('.json', ''), () => {
      const { event, payload } = JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'))
      for (const path of places(payload)) {
        for (const other of [REMOVED, ...OTHERS]) {
          check(event, changed(payload, path, other), () => `${path.join('.')} = ${String(JSON.stringify(other))}`)
        }
      }
    })
  }
})

test('any JSON under any event type', () => {
  const types = fc.constantFrom('push', 'pull_request', 'issue_comment', 'release', 'create', 'repository', 'ping', 'x')
  const keys = fc.constantFrom(
    'ref',
    'after',
    'action',
    'repository',
    'full_name',
    'pull_request',
    'issue',
    'comment',
    'commits',
  )
  const { payload } = fc.letrec((tie) => ({
    payload: fc.dictionary(keys, tie('value')),
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('payload'),
    ),
  }))
  fc.assert(
    fc.property(types, payload, (type, given) => check(type, given, () => JSON.stringify(given))),
    { numRuns: 300 },
  )
})

test('a truncated delivery is unreadable at every length', () => {
  const { headers, body } = signDelivery(JSON.parse(readFileSync(join(FIXTURES, 'push-branch.json'), 'utf8')).payload, {
    secret: 'unused',
  })
  for (let length = 0; length < body.length; length += 1) {
    assert.equal(github.webhooks.read(headers, body.subarray(0, length)).kind, 'unreadable')
  }
})
