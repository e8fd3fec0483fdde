import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryBudget } from './memory-budget.ts'

const never = new AbortController().signal

test('who needs more memory than is left waits in turn, and a stop takes its place away', async () => {
  const memory = new MemoryBudget(100)
  const said: string[] = []
  const take = (name: string, needMb: number, signal = never) =>
    memory
      .take(needMb, signal, () => said.push(`${name} waits`))
      .then((held) => {
        said.push(held === undefined ? `${name} stopped` : `${name} goes`)
        return held
      })
  const first = await take('first', 60)
  const stop = new AbortController()
  const large = take('large', 80, stop.signal)
  const small = take('small', 10)
  await Promise.resolve()
  assert.deepEqual(said, ['first goes', 'large waits', 'small waits'], 'the small one does not pass the large one')
  stop.abort()
  assert.equal(await large, undefined)
  const held = await small
  assert.deepEqual(said.slice(3), ['large stopped', 'small goes'])
  first?.[Symbol.dispose]()
  first?.[Symbol.dispose]()
  held?.[Symbol.dispose]()
  const whole = await take('whole', 500)
  assert.equal(said.at(-1), 'whole goes', 'given back once, and no more is taken than there is')
  whole?.[Symbol.dispose]()
})
