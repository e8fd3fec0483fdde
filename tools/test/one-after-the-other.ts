import type { TestEvent } from 'node:test/reporters'

/** Starts each stage when the one before has ended; their closing counts, and their times, are added up at the end. */
export async function* oneAfterTheOther(
  stages: readonly (() => AsyncIterable<TestEvent>)[],
): AsyncGenerator<TestEvent> {
  const sums = new Map<string, number>()
  for (const start of stages) {
    for await (const event of start()) {
      const [, what, count] = /^([a-z_]+) ([0-9.]+)$/.exec(closingWords(event) ?? '') ?? []
      if (what === undefined) yield event
      else sums.set(what, (sums.get(what) ?? 0) + Number(count))
    }
  }
  for (const [what, sum] of sums) {
    yield { type: 'test:diagnostic', data: { nesting: 0, message: `${what} ${sum}`, level: 'info' } }
  }
}

function closingWords(event: TestEvent): string | undefined {
  return event.type === 'test:diagnostic' && event.data.nesting === 0 ? event.data.message : undefined
}
