import type { HouseUnderTest } from '../house-under-test.ts'

/**
 * Stores copies of the one row that the API has made, numbered from 1 as `n`. `changes` are expressions for the columns
 * that must differ.
 */
export async function copyRows(
  subject: HouseUnderTest,
  table: string,
  copies: number,
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  const columns = await subject.query<{ name: string }>(
    `select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  const names = columns.map(({ name }) => name)
  const values = names.map((name) => changes[name] ?? `model.${name}`)
  await subject.query(
    `insert into ${table} (${names.join(', ')})
    select ${values.join(', ')} from (select * from ${table} limit 1) as model, generate_series(1, $1::int) as n`,
    [copies],
  )
}
