export { alongside, isRidden, type Rider, type Rode } from './alongside.ts'
export { answeredWithin, CopyStale } from './answered-within.ts'
export { type Camel, type Snake, toCamel, toSnake } from './casing.ts'
export { connectToStart, describePlace } from './connect.ts'
export { type Database, openDatabase } from './database.ts'
export { type DayPartition, type DayPartitions, dayPartitions, openDays } from './day-partitions.ts'
export {
  DatabaseRefused,
  DataDirHeld,
  type DataDirLock,
  type EmbeddedServer,
  inspectCluster,
  lockDataDir,
  mayPass,
  startEmbedded,
  urlOfRunning,
} from './embedded/index.ts'
export {
  foreignKeyViolation,
  isDiskFull,
  isOfRow,
  isOutOfRoom,
  isTransient,
  isUnavailable,
  uniqueViolation,
} from './errors.ts'
export { type FoundByText, findByText, type TextWish } from './find-by-text.ts'
export { findOne } from './find-one.ts'
export { createFreshCopy, type FreshCopy } from './fresh-copy.ts'
export type { DB } from './generated/tables.ts'
export { type KeyChecks, readKeyChecks, recordKeyChecks, replaceKeyChecks } from './key-checks.ts'
export type { Notifications } from './listener.ts'
export { MigrationRefused, migrate } from './migrate.ts'
export { readObjectPlace, recordObjectPlace } from './object-place.ts'
export { execute } from './pipelined.ts'
export { withinOrAbove, withinPrefixes } from './prefixes.ts'
export type { Queryable, Tx } from './queryable.ts'
export type { RowOf } from './row-of.ts'
export { SharedReadings } from './shared-readings.ts'
export type { Statement } from './statement.ts'
export { teamPathsOf } from './team-paths.ts'
export {
  holdAlone,
  loadDatabase,
  mayDeleteObjects,
  openSnapshot,
  type RowSource,
  requireEmptyDatabase,
  type Snapshot,
  type StoredTable,
} from './transfer/index.ts'
