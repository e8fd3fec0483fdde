import { run } from 'node:test'
import { oneAfterTheOther } from './one-after-the-other.ts'
import report from './reporter.ts'

// `node --test` sorts the files that it is given by name; asked from within, the test runner starts them as they stand.
// Called with the count of processes at once, the milliseconds of a test, the module to load before each file, and the
// files; `--then` stands between stages, each of which begins when the one before has ended.

const [concurrency, testMs, before, ...words] = process.argv.slice(2)
const stages: string[][] = [[]]
for (const word of words) {
  if (word === '--then') stages.push([])
  else stages.at(-1)?.push(word)
}

function start(files: readonly string[]): ReturnType<typeof run> {
  const events = run({
    files: [...files],
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
  return events
}

for await (const text of report(oneAfterTheOther(stages.map((files) => () => start(files))))) {
  process.stdout.write(text)
}
