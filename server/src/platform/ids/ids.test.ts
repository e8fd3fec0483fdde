import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIds, isUuid, lowestIdOf, madeAt } from './index.ts'

test('ids are UUIDv7, unique, and in the order in which they were made, also within a millisecond and when the clock goes back', () => {
  let now = 1_795_228_637_000
  const ids = createIds(() => now)
  const made: string[] = []
  for (let i = 0; i < 10_000; i++) {
    if (i === 5000) now -= 3_600_000
    made.push(ids.next())
  }
  assert.ok(made.every((id) => isUuid(id) && id[14] === '7' && '89ab'.includes(id[19] ?? '')))
  assert.deepEqual(made, [...made].sort())
  assert.equal(new Set(made).size, made.length)
})

test('ids of the very first millisecond are ids', () => {
  const ids = createIds(() => 0)
  assert.match(ids.next(), /^00000000-0000-7001-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.ok(isUuid(ids.next()))
})

test('an id tells its millisecond', () => {
  const ids = createIds(() => 1_795_228_637_123)
  assert.deepEqual(madeAt(ids.next()), new Date(1_795_228_637_123))
})

test('every instant has a lowest id, also those before the first id and behind the last', () => {
  for (const at of ['0001-01-01T00:00:00Z', '1900-01-01T00:00:00Z', '1970-01-01T00:00:00Z']) {
    assert.equal(lowestIdOf(Date.parse(at)), '00000000-0000-7000-8000-000000000000')
  }
  assert.deepEqual(madeAt(lowestIdOf(1_795_228_637_123)), new Date(1_795_228_637_123))
  assert.equal(lowestIdOf(8_640_000_000_000_000), 'ffffffff-ffff-7000-8000-000000000000')
})
