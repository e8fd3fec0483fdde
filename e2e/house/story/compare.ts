/**
 * The first difference between the expected and the actual value; undefined where the expectation holds. Objects may
 * hold more than is expected, lists may not. An expected text `/like this/` is a pattern; null also stands for an
 * absent value.
 */
export function findDifference(expected: unknown, actual: unknown, at = ''): string | undefined {
  const told = `${at === '' ? 'the answer' : at.slice(1)} is ${JSON.stringify(actual)}, expected was ${JSON.stringify(expected)}`
  if (expected === null) return actual === null || actual === undefined ? undefined : told
  if (typeof expected === 'string') return fits(expected, actual) ? undefined : told
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return told
    return firstOf(expected.map((each, place) => findDifference(each, actual[place], `${at}.${place}`)))
  }
  if (typeof expected === 'object') {
    if (typeof actual !== 'object' || actual === null) return told
    const fields = new Map<string, unknown>(Object.entries(actual))
    return firstOf(Object.entries(expected).map(([key, each]) => findDifference(each, fields.get(key), `${at}.${key}`)))
  }
  return expected === actual ? undefined : told
}

function fits(expected: string, actual: unknown): boolean {
  const pattern = /^\/(.+)\/$/s.exec(expected)?.[1]
  if (pattern === undefined) return expected === actual
  return typeof actual === 'string' && new RegExp(pattern).test(actual)
}

function firstOf(differences: readonly (string | undefined)[]): string | undefined {
  return differences.find((difference) => difference !== undefined)
}
