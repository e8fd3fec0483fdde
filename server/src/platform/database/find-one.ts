import { type Camel, toCamel } from './casing.ts'

/** The first row of a query, as the code reads it; undefined where the query finds none. */
export async function findOne<Row extends object>(query: {
  executeTakeFirst(): Promise<Row | undefined>
}): Promise<Camel<Row> | undefined> {
  const row = await query.executeTakeFirst()
  return row && toCamel(row)
}
