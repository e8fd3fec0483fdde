import type pg from 'pg'

/** What is sent of a statement. `name` is the same for the same text, and of this text alone. */
export interface NamedStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly (string | Buffer | null)[]
  /** Whether its rows are wanted. */
  readonly asks: boolean
}

/** What pg hands to whoever submits messages of their own; it finds these by their names. */
interface Submitted extends pg.Submittable {
  handleRowDescription(message: { readonly fields: readonly Field[] }): void
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void
  handleCommandComplete(): void
  handleEmptyQuery(): void
  handleError(error: unknown): void
  handleReadyForQuery(): void
}

interface Field {
  readonly name: string
  readonly dataTypeID: number
}

export type Rows = readonly Readonly<Record<string, unknown>>[]

/**
 * Sends statements in one write, ended by one Sync: for PostgreSQL what lies between two of these is one transaction, so
 * that it is told neither of its begin nor of its end, and answers once. Sent one by one, each of them wakes PostgreSQL,
 * and this process for its answer: 0.7 ms a transaction on two busy cores.
 *
 * `prepared` holds the names that the connection knows; new ones are added. Rejects with the first error, and then nothing
 * is stored, and the connection is to be closed: which names it knows is not known any more.
 */
export function sendTogether(
  client: pg.PoolClient,
  statements: readonly NamedStatement[],
  prepared: Set<string>,
  types: pg.CustomTypesConfig | undefined,
): Promise<readonly Rows[]> {
  return new Promise((resolve, reject) => {
    const answers: Record<string, unknown>[][] = statements.map(() => [])
    let at = 0
    let fields: readonly Field[] = []
    const submitted: Submitted = {
      submit(connection) {
        connection.stream.cork()
        for (const statement of statements) {
          const { name, text, values } = statement
          if (!prepared.has(name)) {
            connection.parse({ name, text, types: [] }, true)
            prepared.add(name)
          }
          connection.bind({ statement: name, values: [...values] }, true)
          if (statement.asks) connection.describe({ type: 'P' }, true)
          connection.execute({}, true)
        }
        connection.sync()
        connection.stream.uncork()
      },
      handleRowDescription(message) {
        fields = message.fields
      },
      handleDataRow(message) {
        if (statements[at]?.asks) answers[at]?.push(toRow(fields, message.fields, types))
      },
      handleCommandComplete() {
        at += 1
      },
      handleEmptyQuery() {
        at += 1
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(answers),
    }
    client.query(submitted)
  })
}

function toRow(
  fields: readonly Field[],
  values: readonly (string | null)[],
  types: pg.CustomTypesConfig | undefined,
): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [at, { name, dataTypeID }] of fields.entries()) {
    const value = values[at] ?? null
    row[name] = value === null || types === undefined ? value : types.getTypeParser(dataTypeID, 'text')(value)
  }
  return row
}
