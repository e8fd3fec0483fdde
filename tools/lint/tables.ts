import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from './places.ts'

const BUILDERS = /^(selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)$/
const STATEMENT =
  /^\s*(select\b[\s\S]*\bfrom\s+[a-z_"]|insert\s+into\s|update\s+[a-z_".]+\s+(as\s+\w+\s+)?set\s|delete\s+from\s|with\s+(recursive\s+)?\w+\s+as\s*(materialized\s*)?\(|create\s+(table|index|unique)|alter\s+table|truncate\s|lock\s+table|notify\s+\w+\s*$)/i

/** Whether this file may hold SQL: a room's store, the platform, a test, or the development side. */
export function mayHoldSql(place: Place): boolean {
  if (place.forTests || place.area === 'outside' || place.area === 'platform') return true
  return place.area === 'rooms' && isStore(place.inside)
}

/** Whether a method name builds a query (`selectFrom`). */
export function buildsQuery(method: string): boolean {
  return BUILDERS.test(method)
}

/** Whether a text is a whole SQL statement, as opposed to a sentence that begins with "Update" or "Select". */
export function isStatement(text: string): boolean {
  return STATEMENT.test(text)
}

/** The tables that migrations create, by the text of the migrations. */
export function tablesCreated(migrations: readonly string[]): ReadonlySet<string> {
  const created = migrations.flatMap((text) =>
    [...text.matchAll(/create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:public\.)?"?(\w+)"?/gi)].map(
      (match) => match[1] ?? '',
    ),
  )
  return new Set(created)
}

/** The tables that a store names in a query, out of those that exist. Comments do not count. */
export function tablesNamed(source: string, known: ReadonlySet<string>): ReadonlySet<string> {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)(\/\/|--\s).*$/gm, '$1')
  const verbs =
    /(?:\b(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|(?:inner|left|right|full|cross)Join|using)\(\s*\[?\s*['"`]|\b(?:from|join|into|update|using|table)\s+(?:only\s+)?"?)(?:public\.)?"?(\w+)/gi
  const named = [...code.matchAll(verbs)].map((match) => match[1] ?? '')
  return new Set(named.filter((name) => known.has(name)))
}

/** For one room's store: each table that another room's store names as well, with that room. */
export function findSharedTables(
  room: string,
  stores: ReadonlyMap<string, ReadonlySet<string>>,
): readonly { readonly table: string; readonly room: string }[] {
  const mine = stores.get(room) ?? new Set()
  return [...stores]
    .filter(([other]) => other !== room)
    .flatMap(([other, theirs]) =>
      [...mine].filter((table) => theirs.has(table)).map((table) => ({ table, room: other })),
    )
}

/** Reads, for every room below `root`, the tables that its store names. */
export function readStores(root: string): ReadonlyMap<string, ReadonlySet<string>> {
  const migrations = join(root, 'server', 'migrations')
  const known = tablesCreated(list(migrations).map((name) => readFileSync(join(migrations, name), 'utf8')))
  const rooms = join(root, 'server', 'src', 'rooms')
  const stores = new Map<string, ReadonlySet<string>>()
  for (const path of list(rooms, true)) {
    const [wing = '', room = '', ...inside] = path.split('/')
    if (!isStore(inside.join('/')) || !/(?<!\.test)\.ts$/.test(path)) continue
    const key = `${wing}/${room}`
    const named = tablesNamed(readFileSync(join(rooms, path), 'utf8'), known)
    stores.set(key, new Set([...(stores.get(key) ?? []), ...named]))
  }
  return stores
}

function isStore(inside: string): boolean {
  return /^store(\.ts$|\/)/.test(inside)
}

function list(folder: string, recursive = false): readonly string[] {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  } catch {
    return [] // A tree without this folder has no tables.
  }
}
