import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualTime } from '../testing/manual-time.ts'
import { CountDown } from './count-down.ts'

test('a count-down stands still while it is paused, however often, and ends no more than once', () => {
  const time = new ManualTime()
  let ends = 0
  const down = new CountDown(time, 100, () => ends++)
  time.advance(60)
  down.pause()
  down.pause()
  time.advance(1000)
  down.resume()
  down.resume()
  time.advance(39)
  assert.equal(ends, 0)
  time.advance(1)
  assert.equal(ends, 1)
  down.stop()
  time.advance(1000)
  assert.equal(ends, 1)
})
