import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { KeyChecks } from '#platform/database'
import { BackupRefused } from './refused.ts'

const SHA256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
/** Names become names of files and of tables. */
const NAME = Type.String({ pattern: '^[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)?$' })

const Table = Type.Object({
  name: NAME,
  columns: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  dayOf: Type.Optional(NAME),
  rows: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: SHA256,
})

const Manifest = Type.Object({
  format: Type.Literal(1),
  version: Type.String(),
  made_at: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
  tables: Type.Array(Table),
  sequences: Type.Array(Type.Object({ name: NAME, value: Type.String({ pattern: '^-?[0-9]+$' }) })),
  /** Fingerprints of the keys that sealed what the rows hold, by version. */
  sealed_by: Type.Record(Type.String({ pattern: '^[0-9]+$' }), SHA256),
  objects: Type.Object({ count: Type.Integer(), bytes: Type.Integer(), missing: Type.Array(Type.String()) }),
  has_key: Type.Boolean(),
})

/** The contents of a backup. The file is written last: a folder without it is no backup. */
export type Manifest = Type.Static<typeof Manifest>
export type BackedUpTable = Type.Static<typeof Table>

const FILE = 'manifest.json'

export function rowsPath(folder: string, { name }: { readonly name: string }): string {
  return join(folder, 'tables', `${name}.copy.zst`)
}

/** The first line is the digest of the rest: a manifest is whole or none. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const text = `${JSON.stringify(manifest, undefined, 1)}\n`
  writeFileSync(join(folder, FILE), `${digest(text)}\n${text}`, { mode: 0o600, flag: 'wx', flush: true })
}

/** Throws BackupRefused where the folder is no whole backup of a version that this program reads. */
export function readManifest(folder: string): Manifest {
  const text = readText(folder)
  const end = text.indexOf('\n')
  if (end < 0 || digest(text.slice(end + 1)) !== text.slice(0, end)) throw damaged(folder, `${FILE} is cut or changed`)
  const value: unknown = JSON.parse(text.slice(end + 1))
  if (Value.Check(Manifest, value)) return value
  throw new BackupRefused(
    `The backup ${folder} is of a form that this version of Signalbox does not read. Use the version that made it.`,
  )
}

export function sealedBy({ sealed_by: checks }: Manifest): KeyChecks {
  return new Map(Object.entries(checks).map(([version, hex]) => [Number(version), Buffer.from(hex, 'hex')]))
}

export function damaged(folder: string, how: string): BackupRefused {
  return new BackupRefused(`The backup ${folder} is damaged: ${how}. Take another copy of it. Nothing was changed.`)
}

function readText(folder: string): string {
  try {
    return readFileSync(join(folder, FILE), 'utf8')
  } catch (cause) {
    throw new BackupRefused(`${folder} is no backup, or an unfinished one: it has no ${FILE}. Nothing was changed.`, {
      cause,
    })
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
