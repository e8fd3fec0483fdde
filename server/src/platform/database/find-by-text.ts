import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from './generated/tables.ts'
import type { Queryable } from './queryable.ts'

/** What somebody looks for, in lower case. */
export interface TextWish {
  /** All that was typed, with single spaces. */
  readonly text: string
  /** Each must occur. */
  readonly words: readonly string[]
  readonly limit: number
}

/** One thing that was found by its name. */
export interface FoundByText {
  readonly id: string
  readonly title: string
  /** '/' is the platform; null: of no team. */
  readonly teamPath: string | null
  readonly detail: string | null
  /** How close it is: 0 is the very name, then what begins with the text. */
  readonly rank: number
}

export interface NamedThings {
  readonly table: keyof DB
  /** Which of them may be found. */
  readonly where: RawBuilder<SqlBool>
  /** Default: the column `name`. */
  readonly name?: RawBuilder<string>
  /** Shown. Default: `<team_path>/<name>`. */
  readonly title?: RawBuilder<string>
  /** In which words are looked for. Default: the title. */
  readonly text?: RawBuilder<string>
  /** Default: the column `team_path`. */
  readonly teamPath?: RawBuilder<string | null>
  readonly detail?: RawBuilder<string | null>
  /** The table lets only lower case into `name`, `title` and `text`: not to fold them is a half of the cost. */
  readonly isLowerCase?: true
}

/** An id that was pasted is no word: it is the id of one thing. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Things in whose text every word occurs, or whose id was typed, the closest first. Reads all rows that may be found: that is for tables whose rows
 * people make, of which there are some ten thousand at most.
 */
export async function findByText(db: Queryable, things: NamedThings, wish: TextWish): Promise<FoundByText[]> {
  const { name = sql<string>`name`, teamPath = sql`team_path`, detail = sql`null::text` } = things
  const title = things.title ?? sql`(${teamPath} || '/' || ${name})`
  const fold = (text: RawBuilder<string>): RawBuilder<string> => (things.isLowerCase ? text : sql`lower(${text})`)
  const [ownName, ownTitle] = [fold(name), fold(title)]
  const occurs = wish.words.map((word) => sql`position(${word}::text in ${fold(things.text ?? title)}) > 0`)
  const hasId = UUID.test(wish.text) ? sql<SqlBool>`id = ${wish.text}::uuid` : sql<SqlBool>`false`
  const { rows } = await sql<FoundByText>`
    select id::text as id, ${title} as title, ${teamPath} as "teamPath", ${detail} as detail,
      case when ${hasId} or ${ownName} = ${wish.text} or ${ownTitle} = ${wish.text} then 0
        when starts_with(${ownName}, ${wish.text}) then 1
        when starts_with(${ownTitle}, ${wish.text}) then 2
        else 3 end as rank
    from ${sql.table(things.table)}
    where ${things.where} and (${hasId} or (${sql.join(occurs, sql` and `)}))
    order by rank, length(${title}), title limit ${wish.limit}`.execute(db)
  return rows
}
