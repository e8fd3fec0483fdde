import { run } from 'node:test'
import report from './reporter.ts'

// `node --test` sorts the files that it is given by name; asked from within, the test runner starts them as they stand.
// Called with the count of processes at once, the milliseconds of a test, the module to load before each file, and the
// files.

const [concurrency, testMs, before, ...files] = process.argv.slice(2)
const events = run({
  files,
  concurrency: Number(concurrency),
  // For a test within a file: a file has a limit of its own.
  execArgv: [`--test-timeout=${testMs}`, `--import=${before}`],
})
events.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
events.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1
})
for await (const text of report(events)) process.stdout.write(text)
