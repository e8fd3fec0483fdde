import { createHash } from 'node:crypto'
import type pg from 'pg'

/** Shorter ones are parsed and planned in no time. */
const MIN_LENGTH = 200
/** PostgreSQL keeps each statement per connection: a caller with ever new texts must not fill its memory. */
const MAX_STATEMENTS = 200

/**
 * Long statements that come again are prepared. For statements that store whole groups, parsing and planning is half of
 * PostgreSQL's work. Lists with filters stay as they are, because their best plan depends on the values.
 */
export interface StatementNames {
  nameOf(text: string): string | undefined
}

export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined) return known
      if (!isWorthIt(text) || names.size >= MAX_STATEMENTS) return undefined
      if (!seenOnce.has(text)) {
        if (seenOnce.size >= MAX_STATEMENTS) seenOnce.clear()
        seenOnce.add(text)
        return undefined
      }
      const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
      names.set(text, name)
      return name
    },
  }
}

function isWorthIt(text: string): boolean {
  if (text.length < MIN_LENGTH) return false
  return !/^\s*select\b/i.test(text) || /\bfor update\b|\bunnest\(/.test(text)
}

/** From now on the client sends the texts that have a name as prepared statements. */
export function prepareStatements(client: pg.PoolClient, names: StatementNames): void {
  const query = client.query
  Object.defineProperty(client, 'query', {
    value: (...args: readonly unknown[]) => {
      const [text, values, ...rest] = args
      const name = typeof text === 'string' && Array.isArray(values) ? names.nameOf(text) : undefined
      return Reflect.apply(query, client, name === undefined ? args : [{ name, text, values }, ...rest])
    },
  })
}
