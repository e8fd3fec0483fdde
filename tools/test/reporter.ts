import { relative } from 'node:path'
import { spec, type TestEvent } from 'node:test/reporters'

/**
 * Node's spec reporter, silent about what passed: one line per finished file, everything about a failure, what was
 * skipped, what tests printed, and the closing counts.
 */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const full = new spec()
  for await (const event of events) {
    // The spec reporter needs every event to keep its place among the suites; only some of its words are passed on.
    full.write(event)
    const text = drain(full)
    if (event.type === 'test:summary' && event.data.file !== undefined) yield lineOf(event.data.file, event.data)
    else if (!isQuiet(event)) yield text
  }
  full.end()
  yield drain(full)
}

function isQuiet(event: TestEvent): boolean {
  return event.type === 'test:pass' && !event.data.skip && !event.data.todo
}

interface FileSummary {
  readonly counts: { readonly tests: number; readonly passed: number }
  readonly duration_ms: number
  readonly success: boolean
}

function lineOf(file: string, { counts, duration_ms, success }: FileSummary): string {
  const seconds = `${(duration_ms / 1000).toFixed(1)} s`.padStart(7)
  const passed = `${counts.passed}/${counts.tests}`.padStart(8)
  return `${success ? 'ok    ' : 'failed'}${seconds}${passed}  ${relative(process.cwd(), file)}\n`
}

function drain(stream: { read(): unknown }): string {
  const chunks: string[] = []
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) chunks.push(String(chunk))
  return chunks.join('')
}
