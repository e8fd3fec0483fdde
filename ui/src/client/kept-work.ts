import { browserStorage } from './browser-storage.ts'

/** The part of a browser's storage that this file needs. */
export interface WorkStorage {
  keys(): readonly string[]
  removeItem(key: string): void
}

const PREFIX = 'signalbox-draft:'

/** The name under which unsaved work of one person is kept: the next user of the browser learns nobody's id from it. */
export function workKey(userId: string, thing: string): string {
  return `${PREFIX}${fingerprint(userId)}:${thing}`
}

export function isKeptWork(key: string): boolean {
  return key.startsWith(PREFIX)
}

/** How many things the person has unsaved work on. */
export function countKeptWork(userId: string, storage: WorkStorage = browserStorage): number {
  return keysOf(userId, storage).length
}

export function dropKeptWork(userId: string, storage: WorkStorage = browserStorage): void {
  for (const key of keysOf(userId, storage)) storage.removeItem(key)
}

function keysOf(userId: string, storage: WorkStorage): readonly string[] {
  return storage.keys().filter((key) => key.startsWith(workKey(userId, '')))
}

const OFFSET = 0xcbf29ce484222325n
const PRIME = 0x100000001b3n

/** FNV-1a of 64 bits. The browser's own digests do not exist on plain http, and the id is no secret. */
function fingerprint(text: string): string {
  let hash = OFFSET
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME)
  return hash.toString(36)
}
