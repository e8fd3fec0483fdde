import pg from 'pg'
import { CopyStale } from './answered-within.ts'

/** Serialization failure (40001) and deadlock (40P01): the transaction did nothing and may be repeated as a whole. */
export function isTransient(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}

/** A lock was not had within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

/** A table was dropped meanwhile. */
export function isUndefinedTable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42P01'
}

const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The queue of a Unix socket is full: no process accepts.
  'EAGAIN',
])

/**
 * True when the database could not be reached or is going down, and when a check of a copy ran out of time. False for a
 * statement that the database refused.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof CopyStale) return true
  if (error instanceof pg.DatabaseError) {
    // Class 08 connection, 57 operator intervention (shutdown, starting up), 53 out of connections, memory or disk.
    // 25006: a standby, which takes no writes before it is made the primary. A database that refuses all connections
    // has 55000, which means other things too.
    return /^(08|57P|53|25006)/.test(error.code ?? '') || /not currently accepting connections/.test(error.message)
  }
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && CONNECTION_ERRORS.has(error.code)) return true
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
    error.message,
  )
}

/** A value or a constraint refuses a row: others would be stored. Class 22 data, 23 integrity. */
export function isOfRow(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23)/.test(error.code ?? '')
}

/** A write found no room: disk_full (53100), or an error of the system that says so. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return error.code === '53100' || /No space left on device|Disk quota exceeded/.test(error.message)
}

/** Node found no room for a file: its disk is full, or a quota is used up. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

/** The name of the violated unique constraint or index, if that is what the error says. */
export function uniqueViolation(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? '') : undefined
}

/** The name of the violated foreign key, if that is what the error says; from PostgreSQL 18 RESTRICT has 23001. */
export function foreignKeyViolation(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined
  return error.code === '23503' || error.code === '23001' ? (error.constraint ?? '') : undefined
}
