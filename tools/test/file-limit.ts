import { isMainThread } from 'node:worker_threads'

// Loaded before each test file (--import). Node's own limit holds for each test. A file may also wait before its first
// test, in its last hook, or for a handle that nobody closed.

/** A file of the longest ones, on a machine ten times slower than ours, takes half of it. */
const MINUTES = 30

if (isMainThread && process.env['NODE_TEST_CONTEXT'] !== undefined) {
  const end = (): void => {
    console.error(`${process.argv[1]} has not ended within ${MINUTES} minutes.`)
    process.exit(1)
  }
  setTimeout(end, MINUTES * 60_000).unref()
}
