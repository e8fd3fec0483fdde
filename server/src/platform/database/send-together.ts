import type pg from 'pg'

/** The parts of a statement that are sent. `name` is the same for the same text, and of this text alone. */
export interface NamedStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly (string | Buffer | null)[]
  /** Whether its rows are wanted. */
  readonly asks: boolean
}

/** The parts that pg hands to a submitter of its own messages; pg finds these members by their names. */
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
 * Sends statements in one write, ended by one Sync. PostgreSQL takes the statements before a Sync as one transaction,
 * which needs no begin and no commit, and answers once. Sent one by one, each of them wakes PostgreSQL, and this
 * process for its answer: 0.7 ms a transaction on two busy cores.
 *
 * `prepared` holds the names that the connection knows; new ones are added. Rejects with the first error. Nothing is
 * then stored, and the connection must be closed, because its prepared names are unknown.
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
