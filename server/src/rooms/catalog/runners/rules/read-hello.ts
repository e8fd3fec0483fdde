/** How a runner describes itself at its enrolment and when it connects. */
export interface RunnerHello {
  readonly version: string
  readonly capacity: number
  readonly labels: readonly string[]
  readonly executors: readonly string[]
}

const LABEL = /^[a-z0-9][a-z0-9._-]{0,62}$/
const EXECUTOR = /^[a-z][a-z0-9_-]{0,31}$/
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const VERSION = /^[\x20-\x7e]{0,100}$/
const MAX_LABELS = 32
const MAX_EXECUTORS = 16
const MAX_CAPACITY = 10_000

/** Why the name is not valid, as a sentence. */
export function findNameFault(name: string): string | undefined {
  if (NAME.test(name)) return undefined
  return 'The name of a runner has letters, digits, ".", "-" and "_", at most 100 of them.'
}

/** Why the self-description of a runner is not valid, as a sentence; it comes over the wire without a schema. */
export function findHelloFault(hello: RunnerHello): string | undefined {
  if (!Number.isInteger(hello.capacity) || hello.capacity < 1 || hello.capacity > MAX_CAPACITY) {
    return `The capacity of a runner is a whole number from 1 to ${MAX_CAPACITY}.`
  }
  if (hello.labels.length > MAX_LABELS || !hello.labels.every((label) => LABEL.test(label))) {
    return `A runner offers at most ${MAX_LABELS} labels of lower-case letters, digits, ".", "-" and "_", each at most 63 characters.`
  }
  if (hello.executors.length > MAX_EXECUTORS || !hello.executors.every((executor) => EXECUTOR.test(executor))) {
    return `A runner offers at most ${MAX_EXECUTORS} executors, such as host.`
  }
  if (!VERSION.test(hello.version)) return 'The version of a runner has at most 100 characters of ASCII.'
  return undefined
}
