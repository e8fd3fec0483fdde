import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Event } from '@signalbox/contracts/event'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { isObject } from './json-object.ts'
import type { Forge, WebhookHeaders } from './port.ts'
import { FORGES } from './registry.ts'
import { changed, fixturesOf, type Path, places, REMOVED } from './testing.ts'

/**
 * Payloads that no provider would ever send. Fields may be missing or of another type. Reading then gives valid events
 * or says in a sentence what is wrong. Reading never throws, because a delivery that crashes a parser is lost.
 */
const LONG = 'a'.repeat(5_000)
/** A place is skipped where none of these changes the reading, as in most places. */
const FEW = [null, {}, 1e300, '\ud800', LONG]
const MORE = [[], '', 'x', 0, -1, 1e9, true, '\0', [[]], [null]]
/** Beyond this many keys hardly any place is read: a few values are enough. */
const FAR = 3
const validEvent = Compile(Event)

/** Answers the reading. */
function check({ webhooks }: Forge, headers: WebhookHeaders, payload: string, told: () => string): string {
  const reading = webhooks.read(headers, Buffer.from(payload))
  if (reading.kind === 'events') {
    const { events } = reading
    const text = JSON.stringify(events)
    const areRight = events.every((found) => validEvent.Check(found)) && !text.includes('\\u0000')
    if (!areRight) assert.fail(`${told()}: ${text}`)
    return text
  }
  if (!/^[A-Z].*\.$/.test(reading.reason)) assert.fail(`${told()}: ${reading.reason}`)
  return reading.reason
}

function checkNames({ webhooks }: Forge, headers: WebhookHeaders, payload: string, told: () => string) {
  const body = Buffer.from(payload)
  for (const name of [webhooks.deliveryId(headers, body), webhooks.eventType(headers, body)]) {
    if (name !== null && !/^[^\0]{1,200}$/.test(name)) assert.fail(`${told()}: ${name}`)
  }
}

/** Writes the document with another value at one place; what stands around the place is written only once. */
function writerOf(payload: unknown, path: Path): (other: unknown) => string {
  const mark = 'the place that is replaced'
  const [before, after] = JSON.stringify(changed(payload, path, mark)).split(JSON.stringify(mark))
  return (other) =>
    other === REMOVED ? JSON.stringify(changed(payload, path, other)) : `${before}${JSON.stringify(other)}${after}`
}

/** The kinds of outcomes of a delivery. */
function readAs(reading: unknown): string {
  const { kind, events } = isObject(reading) ? reading : {}
  return Array.isArray(events) ? events.map((event) => (isObject(event) ? event['kind'] : '')).join(' ') : String(kind)
}

for (const forge of FORGES) {
  const fixtures = fixturesOf(forge)

  describe(`each key of each fixture of ${forge.id}, removed or replaced by other types`, () => {
    // Fixtures that are read as the same have most of their places in common, and far inside all have: once is enough.
    const tried = new Set<string>()

    for (const { name, headers, payload, reading } of fixtures) {
      test(name, () => {
        const right = check(forge, headers, JSON.stringify(payload), () => name)
        for (const path of places(payload)) {
          const far = path.length > FAR
          const place = far ? path.join('.') : `${readAs(reading)} ${path.join('.')}`
          if (tried.has(place)) continue
          tried.add(place)
          const write = writerOf(payload, path)
          const readWith = (other: unknown) => {
            const told = () => `${path.join('.')} = ${String(JSON.stringify(other))}`
            const document = write(other)
            // Names stand at the top; for the places below it is enough to read.
            if (path.length === 1) checkNames(forge, headers, document, told)
            return check(forge, headers, document, told)
          }
          const isRead = [REMOVED, ...FEW].map(readWith).some((read) => read !== right)
          if (isRead && !far) MORE.forEach(readWith)
        }
      })
    }
  })

  test(`any JSON under any headers of ${forge.id}`, () => {
    const keys = new Set(fixtures.flatMap(({ payload }) => [...places(payload)].flat().map(String)))
    const { payload } = fc.letrec((tie) => ({
      payload: fc.dictionary(fc.constantFrom(...keys), tie('value')),
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('payload'),
      ),
    }))
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), payload, ({ headers }, given) => {
        const text = JSON.stringify(given)
        for (const look of [check, checkNames]) look(forge, headers, text, () => text)
      }),
      { numRuns: 300 },
    )
  })

  test(`a truncated delivery of ${forge.id} is unreadable at every length`, () => {
    const whole = fixtures.find(({ name }) => name === 'push-branch') ?? fixtures[0]
    assert.ok(whole)
    const body = Buffer.from(JSON.stringify(whole.payload))
    for (let length = 0; length < body.length; length += 1) {
      assert.equal(forge.webhooks.read(whole.headers, body.subarray(0, length)).kind, 'unreadable')
    }
  })
}
