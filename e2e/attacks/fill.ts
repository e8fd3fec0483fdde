import type { Operation } from '../house/open-api.ts'
import { idsFor, type World } from '../house/world.ts'

/** The operation's path with every id that is known, one path each; lists as long as they get. */
export function fillWithIds(operation: Operation, known: World['ids']): string[] {
  let paths = [operation.path]
  for (const [, name = ''] of operation.path.matchAll(/\{(\w+)\}/g)) {
    const ids = idsFor(known, operation.path, name)
    paths = paths.flatMap((path) => ids.map((id) => path.replace(`{${name}}`, encodeURIComponent(id))))
  }
  const limit = operation.parameters.find((parameter) => parameter.in === 'query' && parameter.name === 'limit')
  return limit ? paths.map((path) => `${path}?limit=${limit.schema.maximum ?? 500}`) : paths
}
