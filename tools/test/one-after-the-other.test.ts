import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { oneAfterTheOther } from './one-after-the-other.ts'

async function collect(events: AsyncIterable<TestEvent>): Promise<TestEvent[]> {
  const all: TestEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

describe('stages of tests', () => {
  const told = (message: string, nesting = 0): TestEvent => ({
    type: 'test:diagnostic',
    data: { nesting, message, level: 'info' },
  })

  test('run one after the other, and their counts are one', async () => {
    const said: string[] = []
    async function* stage(name: string, words: readonly string[]): AsyncGenerator<TestEvent> {
      said.push(`${name} begins`)
      for (const word of words) yield told(word)
      await Promise.resolve()
      said.push(`${name} ends`)
    }
    const stages = [
      () => stage('first', ['tests 3', 'duration_ms 1.5']),
      () => stage('second', ['a word', 'tests 4', 'duration_ms 2']),
    ]
    const events = await collect(oneAfterTheOther(stages))
    assert.deepEqual(said, ['first begins', 'first ends', 'second begins', 'second ends'])
    assert.deepEqual(events, [told('a word'), told('tests 7'), told('duration_ms 3.5')])
  })

  test('leave the counts of a test alone', async () => {
    async function* stage(): AsyncGenerator<TestEvent> {
      yield told('tests 3', 1)
    }
    assert.deepEqual(await collect(oneAfterTheOther([stage])), [told('tests 3', 1)])
  })
})
