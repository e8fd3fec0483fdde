import { basename, dirname, relative } from 'node:path'
import { spec, type TestEvent } from 'node:test/reporters'

/** How the name of the folder begins in which the modules of lots lie, each of which runs several files as its tests. */
export const LOTS_PREFIX = 'signalbox-test-lots-'

/** Of the reason of a failure, when it happens; the whole comes at the end, which a run that is ended early does not reach. */
const REASON_LINES = 15

/**
 * Node's spec reporter, silent about passed tests. The output has one line per finished file, everything about a
 * failure, skipped tests, the output of tests, and the closing counts.
 */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const full = new spec()
  const lots = new Lots()
  for await (const event of events) {
    // The spec reporter needs every event to keep its place among the suites; only some of its words are passed on.
    full.write(lots.withoutFiles(event))
    const text = drain(full)
    if (!isQuiet(event)) yield text
    yield reasonOf(event)
    const line = lots.lineOf(event)
    if (line !== undefined) yield line
  }
  full.end()
  yield drain(full)
}

/** Finished files: a file that ran alone is a process, a file of a lot is an outermost test of the lot's process. */
class Lots {
  /** Files of lots that passed. */
  #passed = 0
  /** Of the file of a lot whose tests are being told. */
  #inner = { tests: 0, passed: 0 }

  /** The line of the file that this event ends, if it ends one. */
  lineOf(event: TestEvent): string | undefined {
    if (event.type === 'test:summary') {
      const { file, counts, duration_ms: ms, success } = event.data
      this.#inner = { tests: 0, passed: 0 }
      return file === undefined || isLot(file) ? undefined : lineOf(relative(process.cwd(), file), counts, ms, success)
    }
    if (event.type !== 'test:pass' && event.type !== 'test:fail') return undefined
    const { data, type } = event
    if (data.nesting > 0 || data.file === undefined || !isLot(data.file)) {
      this.#inner.tests += data.details.type === 'suite' ? 0 : 1
      this.#inner.passed += data.details.type === 'suite' || type === 'test:fail' ? 0 : 1
      return undefined
    }
    const inner = this.#inner
    this.#inner = { tests: 0, passed: 0 }
    this.#passed += type === 'test:pass' ? 1 : 0
    return lineOf(data.name, inner, data.details.duration_ms, type === 'test:pass')
  }

  /** A file that passed is no test: it is left out of the closing counts. A failed file may have no failed test. */
  withoutFiles(event: TestEvent): TestEvent {
    if (event.type !== 'test:diagnostic' || event.data.nesting > 0) return event
    const [, what, count] = /^(tests|pass) (\d+)$/.exec(event.data.message) ?? []
    if (what === undefined) return event
    return { ...event, data: { ...event.data, message: `${what} ${Number(count) - this.#passed}` } }
  }
}

function isLot(file: string): boolean {
  return basename(dirname(file)).startsWith(LOTS_PREFIX)
}

function isQuiet(event: TestEvent): boolean {
  if (event.type === 'test:summary') return event.data.file !== undefined
  return event.type === 'test:pass' && !event.data.skip && !event.data.todo
}

/** Why a test failed; empty for other events, and for what failed only because something in it did. */
function reasonOf(event: TestEvent): string {
  if (event.type !== 'test:fail') return ''
  const { error } = event.data.details
  if ('failureType' in error && error.failureType === 'subtestsFailed') return ''
  const reason = error.cause instanceof Error ? error.cause : error
  const lines = (reason.stack ?? reason.message).split('\n').slice(0, REASON_LINES)
  return `${lines.map((line) => `    | ${line}`).join('\n')}\n`
}

function lineOf(
  name: string,
  { tests, passed }: { readonly tests: number; readonly passed: number },
  ms: number,
  success: boolean,
): string {
  const seconds = `${(ms / 1000).toFixed(1)} s`.padStart(7)
  return `${success ? 'ok    ' : 'failed'}${seconds}${`${passed}/${tests}`.padStart(8)}  ${name}\n`
}

function drain(stream: { read(): unknown }): string {
  const chunks: string[] = []
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) chunks.push(String(chunk))
  return chunks.join('')
}
