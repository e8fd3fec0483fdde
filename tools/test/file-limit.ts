import { isMainThread } from 'node:worker_threads'

// Loaded before each test file (--import). Node's own limit holds for each test. A file may also wait before its first
// test, in its last hook, or for a handle that nobody closed.

/** The longest file takes a sixth of it on our machine (`LONG` in plan.ts). */
const MINUTES = 30

let limit: NodeJS.Timeout | undefined

/** From now on this file has its time; the one before it in the same process has ended. */
export function beginFile(name: string): void {
  clearTimeout(limit)
  const end = (): void => {
    console.error(`${name} has not ended within ${MINUTES} minutes.`)
    process.exit(1)
  }
  limit = setTimeout(end, MINUTES * 60_000).unref()
}

if (isMainThread && process.env['NODE_TEST_CONTEXT'] !== undefined) beginFile(process.argv[1] ?? 'A file')
